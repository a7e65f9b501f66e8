import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'

const root = path.resolve(import.meta.dirname, '..')
/** Name of the checker in the build, and of its download. */
const CHECKER = 'proof-checker.html'

const STYLE = [
  'body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 46rem; padding: 0 1rem }',
  'label, input { display: block; max-width: 100% }',
  'li { overflow-wrap: anywhere }',
  '.ok { color: #14532d } .refused { color: #991b1b }',
].join('\n')

/**
 * Builds the proof checker: one HTML file with its script inside. Its policy allows this script only, and no network.
 * @returns {Promise<string>} the file's text
 */
export async function buildChecker() {
  const [{ output }] = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      // Readers can compare the script with the sources.
      minify: false,
      target: 'es2022',
      lib: { entry: path.join(root, 'src/trust/proof-checker.ts'), formats: ['iife'], name: 'proofChecker' },
    },
  })
  const script = output[0].code.replaceAll('</script', String.raw`<\/script`)
  const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'`
  const parts = { '%POLICY%': policy, '%STYLE%': STYLE, '%SCRIPT%': script }
  return readFileSync(path.join(root, CHECKER), 'utf8').replaceAll(/%(POLICY|STYLE|SCRIPT)%/g, (name) => parts[name])
}

/** Writes the proof checker into a build. */
export async function writeChecker(dist) {
  await writeFile(path.join(dist, CHECKER), await buildChecker())
}
