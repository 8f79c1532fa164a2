/** A name of PostgreSQL as an identifier in SQL, whatever characters it has (Lexical Structure, 4.1.1). */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
