import { describe, expect, it } from 'vitest';
import { memoryTrend } from './memory-trend.ts';

const line = (minutes: number, mb: (minute: number) => number) =>
  Array.from({ length: minutes }, (_, minute) => ({ minute, mb: mb(minute) }));

describe('memoryTrend', () => {
  it('tells the growth of a straight line as percent of its mean in an hour', () => {
    const trend = memoryTrend(line(61, (minute) => 594 + minute / 5));

    expect(trend.percentAnHour).toBeCloseTo(2, 10);
    expect(trend.error).toBeCloseTo(0, 10);
    expect(trend.mb).toBeCloseTo(605.2, 10);
  });

  it('memory that swings about a level: no growth, with certainty', () => {
    const trend = memoryTrend(line(60, (minute) => 500 + (minute % 2 === 0 ? 10 : -10)));

    expect(Math.abs(trend.percentAnHour)).toBeLessThan(trend.error);
  });

  it('tells nothing from two points', () => {
    expect(memoryTrend(line(2, () => 500)).percentAnHour).toBeNaN();
  });
});
