import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const WORTH_IT = /\.(js|css|svg|json|txt)$/

/**
 * Writes `.br` and `.gz` copies of every text file in the assets folder. The server fills in pages and compresses them itself.
 */
export async function compressFiles(dist) {
  const folder = path.join(dist, 'assets')
  for (const name of await readdir(folder)) {
    if (!WORTH_IT.test(name)) continue
    const file = path.join(folder, name)
    const text = await readFile(file)
    await writeFile(
      `${file}.br`,
      await brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }),
    )
    await writeFile(`${file}.gz`, await zip(text, { level: 9 }))
  }
}
