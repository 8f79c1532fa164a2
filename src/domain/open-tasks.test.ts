import { describe, expect, it } from 'vitest';
import { OpenTasks } from './open-tasks.ts';

/** A promise and what decides it. */
function open() {
  let end = (): void => undefined;
  let fail = (_cause: Error): void => undefined;
  const task = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { task, end, fail };
}

describe('OpenTasks', () => {
  it('counts tasks until they settle, and reports failures', async () => {
    const tasks = new OpenTasks();
    const reported: unknown[] = [];
    const a = open();
    const b = open();
    tasks.add(a.task, (cause) => reported.push(cause));
    tasks.add(b.task, (cause) => reported.push(cause));
    expect(tasks.size).toBe(2);
    a.end();
    await a.task;
    expect(tasks.size).toBe(1);
    const none = tasks.none();
    const cause = new Error('broken');
    b.fail(cause);
    await none;
    expect(tasks.size).toBe(0);
    expect(reported).toEqual([cause]);
  });

  it('waits for tasks that were added while it waited for others', async () => {
    const tasks = new OpenTasks();
    const a = open();
    const b = open();
    tasks.add(a.task, () => undefined);
    let ended = false;
    const none = tasks.none().then(() => {
      ended = true;
    });
    // Callbacks that were registered earlier run before those of `a.done`.
    void a.task.then(() => tasks.add(b.task, () => undefined));
    a.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    b.end();
    await none;
    expect(ended).toBe(true);
  });

  it('resolves at once without tasks', async () => {
    await expect(new OpenTasks().none()).resolves.toBeUndefined();
  });
});
