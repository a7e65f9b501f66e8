/**
 * Writes the TypeScript client of the API into a folder, as a package that `npm install` takes: `node make-client.ts FOLDER` writes
 * `FOLDER/tizara-client-VERSION.tgz`. The release contains it. All functions are generated from the contract; README.md contains the
 * examples, which become files of the package.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { groups } from '../../apps/server/src/http/api-page/groups.ts'
import { openApiDocument } from '../../apps/server/src/http/api-page/openapi.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [out] = process.argv.slice(2)
if (out === undefined) throw new Error('The folder is missing')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
const RUNTIME = '@oazapfts/runtime'

const work = mkdtempSync(path.join(tmpdir(), 'client-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(work, file)), { recursive: true })
  writeFileSync(path.join(work, file), text)
}
const run = (program: string, ...args: string[]) =>
  execFileSync(path.join(root, 'node_modules', '.bin', program), args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })

// The runtime is part of the package, so that an installation needs no registry.
cpSync(path.join(root, 'node_modules', RUNTIME), path.join(work, 'node_modules', RUNTIME), { recursive: true })
// Comes first, because the compiler writes the kind of modules that it names.
write(
  'package.json',
  JSON.stringify({
    name: '@tizara/client',
    version,
    description: 'Client of the Tizara API, generated from its contract',
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist', 'examples', 'openapi.json'],
    engines: { node: '>=20' },
    dependencies: { [RUNTIME]: '*' },
    bundleDependencies: [RUNTIME],
  }),
)
write('openapi.json', JSON.stringify(openApiDocument(groups, 'Tizara'), null, 2))
write('src/index.ts', `export * from './client.js'\nexport { HttpError, ok } from '${RUNTIME}'\n`)
run('oazapfts', 'openapi.json', 'src/client.ts')
const options = [
  '--ignoreConfig',
  '--strict',
  '--declaration',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--lib',
  'es2023,dom',
  '--types',
  '',
]
run('tsc', 'src/index.ts', '--outDir', 'dist', ...options)

const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
for (const [, name, text = ''] of readme.matchAll(/^```ts (\w+)\n([^]*?)^```$/gm)) write(`examples/${name}.ts`, text)
write('README.md', readme.replaceAll('VERSION', version).replaceAll(/^```ts \w+$/gm, '```ts'))
mkdirSync(out, { recursive: true })
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', path.resolve(out)], {
  cwd: work,
  stdio: ['ignore', 'ignore', 'inherit'],
})
