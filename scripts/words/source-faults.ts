import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isJsxText,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isOmittedExpression,
  isParameterDeclaration,
  isRegularExpressionLiteral,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTemplateExpression,
  isTemplateHead,
  isTemplateMiddle,
  isTemplateTail,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { commentFaults } from './comment-faults.ts';

/** The longest name of a test, in characters. */
export const LONGEST_TEST_NAME = 70;

export interface Fault {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const holdsText = (node: Node): boolean =>
  isStringLiteral(node) ||
  isNoSubstitutionTemplateLiteral(node) ||
  isTemplateHead(node) ||
  isTemplateMiddle(node) ||
  isTemplateTail(node) ||
  isRegularExpressionLiteral(node) ||
  isJsxText(node);

/** As many values as names, each put into its own: two statements do the same. An exchange of two values needs the tuple. */
function savesOneLine(names: Node, values: Node, file: SourceFile): boolean {
  if (!isArrayLiteralExpression(values)) return false;
  if (!isArrayBindingPattern(names) && !isArrayLiteralExpression(names)) return false;
  const left = names.elements.map((name) => name.getText(file));
  const right = values.elements;
  if (left.length !== right.length || left.length < 2) return false;
  if (right.some((value) => isSpreadElement(value) || isOmittedExpression(value))) return false;
  return left[0] !== '' && !right.some((value) => left.some((name) => value.getText(file).includes(name)));
}

function testNameOf(node: Node, file: SourceFile): string | undefined {
  if (!isCallExpression(node)) return undefined;
  const [name] = node.arguments;
  if (name === undefined || !/^(?:it|test)\b/.test(node.expression.getText(file))) return undefined;
  const isText = isStringLiteral(name) || isNoSubstitutionTemplateLiteral(name) || isTemplateExpression(name);
  return isText ? name.getText(file).slice(1, -1) : undefined;
}

function nodeFault(node: Node, file: SourceFile): string | undefined {
  if (isSpreadAssignment(node) && isObjectLiteralExpression(node.expression)) {
    return 'object literal spread into another';
  }
  if (isVariableDeclaration(node) && node.initializer && savesOneLine(node.name, node.initializer, file)) {
    return 'several variables assigned by one tuple';
  }
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken) {
    return savesOneLine(node.left, node.right, file) ? 'several variables assigned by one tuple' : undefined;
  }
  if (isParameterDeclaration(node) && isIdentifier(node.name) && node.name.text === 'one') {
    return 'parameter named "one"';
  }
  const name = /\.test\.tsx?$|^test\/|\/test\//.test(file.fileName) ? testNameOf(node, file) : undefined;
  return name !== undefined && name.length > LONGEST_TEST_NAME
    ? `test name of ${name.length} characters, at most ${LONGEST_TEST_NAME}: "${name.slice(0, 40)}…"`
    : undefined;
}

/** Comments of a file, outside of its literals; adjacent lines of `//` are one comment. */
function commentsOf(text: string, literals: readonly Range[]): Range[] {
  const comments: Range[] = [];
  const opening = /\/\/|\/\*/g;
  let next = 0;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const start = found.index;
    while ((literals[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    const literal = literals[next];
    if (literal !== undefined && literal.start <= start) {
      opening.lastIndex = literal.end;
      continue;
    }
    const isLine = found[0] === '//';
    const close = text.indexOf(isLine ? '\n' : '*/', start);
    const end = close < 0 ? text.length : close + (isLine ? 0 : 2);
    opening.lastIndex = end;
    const last = comments.at(-1);
    if (
      last &&
      isLine &&
      text.startsWith('//', last.start) &&
      /^\n[ \t]*$/.test(text.slice(last.end, start))
    ) {
      comments[comments.length - 1] = { start: last.start, end };
    } else {
      comments.push({ start, end });
    }
  }
  return comments;
}

/** Breaches of the rules of words in a source file, by line. */
export function sourceFaults(file: SourceFile): Fault[] {
  const { text } = file;
  const found: { readonly at: number; readonly text: string }[] = [];
  const literals: Range[] = [];
  const visit = (node: Node): void => {
    if (holdsText(node)) literals.push({ start: node.getStart(file), end: node.end });
    const fault = nodeFault(node, file);
    if (fault !== undefined) found.push({ at: node.getStart(file), text: fault });
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  literals.sort((a, b) => a.start - b.start);
  for (const { start, end } of commentsOf(text, literals)) {
    for (const fault of commentFaults(text.slice(start, end))) found.push({ at: start, text: fault });
  }
  found.sort((a, b) => a.at - b.at);
  return found.map((fault) => ({ line: text.slice(0, fault.at).split('\n').length, text: fault.text }));
}
