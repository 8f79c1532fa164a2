import { isWire } from '../../domain/read.ts';

type Parse = (text: string) => unknown;

function parseLine(line: string, parse: Parse): unknown {
  try {
    const value = parse(line);
    // A recorded session keeps each frame as text beside its receipt time.
    if (isWire(value) && typeof value.frame === 'string' && Object.keys(value).length === 2) {
      return parseLine(value.frame, parse);
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
export function parsePayloads(content: string, parse: Parse = JSON.parse): unknown[] {
  try {
    return [parse(content)];
  } catch {
    if (content.trimStart().startsWith('<')) return [content];
    return content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length > 0)
      .map((line) => parseLine(line, parse));
  }
}
