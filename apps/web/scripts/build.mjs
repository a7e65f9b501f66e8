/**
 * Builds the web app in a temporary folder and then renames it to apps/web/dist, so that a running server misses no file. The
 * previous build stays in apps/web/dist.before until the end.
 *
 * The build contains the code, the prerendered sign-in page (index.html), the empty page of every other path (spa.html), the console
 * (staff.html), and the checker of balance proofs (proof-checker.html). It also contains the hashes of inline code (csp.json), and
 * compressed copies of all static files.
 */
import { existsSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { checkBudgets } from './budgets.mjs'
import { writeChecker } from './build-checker.mjs'
import { compressFiles } from './compress.mjs'
import { prerender } from './prerender.mjs'

process.env.NODE_ENV = 'production'
const root = path.resolve(import.meta.dirname, '..')
const target = path.join(root, 'dist')
const before = path.join(root, 'dist.before')
const dist = path.join(root, `dist.${process.pid}`)
process.on('exit', () => rmSync(dist, { recursive: true, force: true }))

await build({ configFile: path.join(root, 'vite.config.ts'), mode: 'production', logLevel: 'warn', build: { outDir: dist } })
await prerender(root, dist)
await build({ configFile: path.join(root, 'vite.staff.config.ts'), mode: 'production', logLevel: 'warn', build: { outDir: dist } })
await writeChecker(dist)
// Moves the manifest out of the served folder. Only the size checks read it.
await rename(path.join(dist, '.vite', 'manifest.json'), path.join(dist, 'manifest.json'))
await compressFiles(dist)
const { lines, problems } = checkBudgets(dist)
console.log(lines.join('\n'))
// A page above its limit fails `npm test` (budgets.mjs), but not a start or a release.
if (problems.length > 0) console.error(problems.join('\n'))
if (!existsSync(path.join(dist, 'csp.json'))) throw new Error('csp.json is missing')
await rm(before, { recursive: true, force: true })
if (existsSync(target)) await rename(target, before)
await rename(dist, target)
