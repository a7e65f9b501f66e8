/**
 * Builds the web app beside apps/web/dist and puts it there when it is whole: a server that runs meanwhile misses no file,
 * and finds those of the build before in apps/web/dist.before. What is built: code, the drawn sign-in page (index.html), the empty page of every other path
 * (spa.html), the console of staff (staff.html), the file that checks proofs of balances (proof-checker.html), the hashes of inline code (csp.json) and compressed copies of everything that is sent as it stands.
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
// The list of files is for the budgets, not for the world.
await rename(path.join(dist, '.vite', 'manifest.json'), path.join(dist, 'manifest.json'))
await compressFiles(dist)
const { lines, faults } = checkBudgets(dist)
console.log(lines.join('\n'))
// What is too heavy fails in `npm test` (budgets.mjs): a start or a release goes on with it.
if (faults.length > 0) console.error(faults.join('\n'))
if (!existsSync(path.join(dist, 'csp.json'))) throw new Error('csp.json is missing')
await rm(before, { recursive: true, force: true })
if (existsSync(target)) await rename(target, before)
await rename(dist, target)
