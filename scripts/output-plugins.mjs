// Plugins of the bundler that check and shorten what it writes.

/** Throws if the bundler has added an export to a door. */
export const assertExports = {
  name: 'assert-exports',
  generateBundle(options, chunks) {
    for (const { fileName, isEntry, facadeModuleId, exports } of Object.values(chunks)) {
      const own = isEntry ? this.getModuleInfo(facadeModuleId).exports : exports;
      if (exports.some((name) => !own.includes(name))) throw new Error(`${fileName} exports more than its source`);
    }
  },
};

/** Removes the white space of the styles of pages: they are part of each page. */
export const minifyStyles = {
  name: 'minify-styles',
  transform: {
    filter: { id: /[\\/]lab[\\/]page[\\/]style\.ts$/ },
    async handler(code) {
      const styles = [...code.matchAll(/= `\n([^`$]+)`;/g)];
      if (styles.length < 2) throw new Error('style.ts expected its styles as templates without expressions');
      for (const [definition, style] of styles) {
        const short = JSON.stringify(await toShortStyle(style));
        code = code.replace(definition, () => `= ${short};`);
      }
      return code;
    },
  },
};

/** Returns a style sheet without white space. */
export async function toShortStyle(style) {
  const { transform } = await import('esbuild');
  const { code } = await transform(style, { loader: 'css', minifyWhitespace: true, target: 'esnext' });
  return code.trim();
}

/** Writes lines of about 200 characters, because Node prints the line of an error that nothing catches. */
export const breakLines = {
  name: 'break-lines',
  async generateBundle(options, chunks) {
    for (const chunk of Object.values(chunks)) chunk.code = await toShortLines(chunk.fileName, chunk.code);
  },
};

/** Returns a minified script in lines of about 200 characters. */
export async function toShortLines(fileName, script) {
  const { parseSync, Visitor } = await import('rolldown/utils');
  const starts = [];
  const quotes = new Set();
  const take = (nodes) => starts.push(...nodes.map(({ start }) => start));
  const requote = ({ type, start, end }) => type === 'TemplateLiteral' && quotes.add(start).add(end - 1);
  new Visitor({
    Program: ({ body }) => take(body),
    BlockStatement: ({ body }) => take(body),
    ClassBody: ({ body }) => take(body),
    SwitchCase: ({ consequent }) => take(consequent),
    VariableDeclaration: ({ declarations }) => take(declarations.slice(1)),
    SequenceExpression: ({ expressions }) => take(expressions.slice(1)),
    // Not every bundler reads the name of a module in backticks.
    ImportExpression: ({ source }) => requote(source),
    CallExpression: ({ callee, arguments: [first] }) => callee.name === 'require' && first && requote(first),
  }).visit(parseSync(fileName, script).program);
  let code = '';
  let lineStart = 0;
  let from = 0;
  const copyTo = (end) => {
    code += script.slice(from, end);
    from = end;
  };
  for (const place of [...starts, ...quotes].sort((x, y) => x - y)) {
    copyTo(place);
    if (quotes.has(place)) {
      code += '"';
      from++;
    } else if (place - lineStart > 180) {
      code += '\n';
      lineStart = place;
    }
  }
  copyTo();
  return code;
}

/** Defines the exports of each chunk for `require` by a function: the bundler repeats some 80 characters for each. */
export const shortenExports = {
  name: 'shorten-exports',
  generateBundle(options, chunks) {
    const definition =
      /Object\.defineProperty\(exports,(["`][\w$]+["`]),\{enumerable:(?:true|!0),get:function\(\)\{return ?([\w$.]+);?\}\}\)/g;
    for (const chunk of Object.values(chunks)) {
      const code = chunk.code.replace(definition, (_, name, value) => `defineExport(${name},()=>${value})`);
      if (code === chunk.code) continue;
      if (chunk.code.includes('defineExport')) throw new Error(`${chunk.fileName} has a defineExport of its own`);
      chunk.code = `${code.trimEnd()}function defineExport(n,get){Object.defineProperty(exports,n,{enumerable:true,get})}\n`;
    }
  },
};
