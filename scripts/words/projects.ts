import { join } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import type { FileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';

/**
 * Reads each source file of some projects once with the compiler's parser.
 *
 * @param root folder that holds the projects, absolute
 * @param configs paths of their tsconfig.json, from the root
 * @param fs the file system that the parser reads, if not the machine's
 */
export function readProjects(
  root: string,
  configs: readonly string[],
  read: (path: string, file: SourceFile) => void,
  fs?: FileSystem,
): void {
  const api = new API(fs === undefined ? { cwd: root } : { cwd: root, fs });
  try {
    const snapshot = api.updateSnapshot({ openProjects: configs.map((config) => join(root, config)) });
    const paths = new Set<string>();
    for (const project of snapshot.getProjects()) {
      for (const path of project.rootFiles) {
        if (paths.has(path) || path.includes('/node_modules/')) continue;
        paths.add(path);
        const file = project.program.getSourceFile(path);
        if (file !== undefined) read(path.slice(root.length + 1), file);
      }
    }
  } finally {
    api.close();
  }
}
