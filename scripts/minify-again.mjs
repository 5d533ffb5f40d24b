import { minify } from 'terser';

/**
 * Minifies once more what vite has minified. Measured on the script tag, after gzip: oxc alone 28.44 KB, terser alone
 * 28.47 KB, terser after oxc 28.1 KB: each finds what the other leaves.
 *
 * @returns {import('vite').Plugin}
 */
export function minifyAgain() {
  return {
    name: 'rowlock:minify-again',
    enforce: 'post',
    async generateBundle({ format }, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const { code, map } = await minify(chunk.code, {
          ecma: 2020,
          module: format === 'es',
          compress: { passes: 3, keep_fargs: false, unsafe_arrows: true, unsafe_methods: true },
          sourceMap: { content: String(chunk.map), asObject: true },
        });
        if (code === undefined) throw new Error(`terser gave no code for ${chunk.fileName}`);
        chunk.code = `${code}\n//# sourceMappingURL=${chunk.fileName}.map\n`;
        // The bundler has written the map down as a file of its own by now.
        const mapFile = bundle[`${chunk.fileName}.map`];
        if (mapFile?.type === 'asset') mapFile.source = JSON.stringify(map);
      }
    },
  };
}
