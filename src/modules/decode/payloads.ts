import { isWire } from '../../domain/read.ts';

function parseLine(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    // A recorded session keeps each frame as text beside its receipt time.
    if (isWire(value) && typeof value.frame === 'string' && Object.keys(value).length === 2) {
      return parseLine(value.frame);
    }
    return value;
  } catch {
    return line;
  }
}

/**
 * One JSON document, or one a line. A line that is no JSON stays text: the decoder says what it makes of it. A
 * page in the place of an answer is one text, however many lines it has.
 */
export function parsePayloads(content: string): unknown[] {
  try {
    return [JSON.parse(content)];
  } catch {
    if (content.trimStart().startsWith('<')) return [content];
    return content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length > 0)
      .map(parseLine);
  }
}
