/**
 * Lines of TypeScript that are neither blank nor comment. A line that holds code beside a comment counts. Comments are those
 * that begin a line, which is how the formatter leaves them; a block comment lasts until the line that closes it.
 */
export function codeLines(text: string): number {
  let count = 0;
  let isInBlock = false;
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (isInBlock) {
      isInBlock = !trimmed.includes('*/');
    } else if (trimmed.startsWith('/*')) {
      isInBlock = !trimmed.includes('*/');
      const after = trimmed.slice(trimmed.indexOf('*/') + 2);
      if (!isInBlock && after.trim() !== '') count++;
    } else if (trimmed !== '' && !trimmed.startsWith('//')) {
      count++;
    }
  }
  return count;
}
