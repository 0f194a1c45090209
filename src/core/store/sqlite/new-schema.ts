const STATEMENT = /^(?<verb>\w+ (?:TABLE|INDEX)) (?<name>\w+)\s*(?<rest>.*)$/s;

/**
 * Returns the statements that create an empty database as these steps do. In a new process, SQLite takes half the time:
 * for each `ALTER TABLE` it would read the whole schema again. Throws if a step has another statement than the ones
 * below.
 */
export function withoutSteps(steps: readonly string[]): string {
  /** By the names of tables and indexes. */
  const parts = new Map<string, string>();
  for (const statement of steps.flatMap((step) => step.split(';').map((part) => part.trim()))) {
    // There are no rows to copy.
    if (statement === '' || statement.startsWith('INSERT INTO')) continue;
    const { verb, name = '', rest = '' } = STATEMENT.exec(statement)?.groups ?? {};
    const newName = /(?<=^RENAME TO )\w+$/.exec(rest)?.toString();
    const column = /(?<=^ADD COLUMN ).+$/s.exec(rest)?.toString();
    const before = parts.get(name) ?? '';
    if (verb === 'CREATE TABLE' || verb === 'CREATE INDEX') parts.set(name, statement);
    else if (verb === 'DROP INDEX') parts.delete(name);
    else if (verb === 'DROP TABLE') {
      for (const [part, sql] of parts)
        if (part === name || sql.startsWith(`CREATE INDEX ${part} ON ${name} `)) parts.delete(part);
    } else if (newName !== undefined) {
      parts.delete(name);
      parts.set(newName, before.replace(name, newName));
    } else if (column !== undefined) {
      // A column precedes the key of several columns.
      const at = /,\s*PRIMARY KEY \(/.exec(before)?.index ?? before.lastIndexOf(')');
      parts.set(name, `${before.slice(0, at).trimEnd()}, ${column}${before.slice(at)}`);
    } else throw new Error(`a step of the schema has a statement that a new database cannot repeat: ${statement}`);
  }
  return [...parts.values()].map((part) => `${part};\n`).join('');
}
