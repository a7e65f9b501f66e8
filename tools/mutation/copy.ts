import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Mutant, plant } from './mutant.ts'

/** Copies the project with its uncommitted changes. The copy shares the installed packages. */
export function copyProject(root: string): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'mutants-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(path.join(root, name))))
    cpSync(path.join(root, file), path.join(copy, file))
  for (const folder of ['.', 'apps/server', 'apps/web', 'packages/contract', 'packages/money'])
    if (existsSync(path.join(root, folder, 'node_modules'))) linkPackages(path.join(root, folder, 'node_modules'), path.join(copy, folder))
  return copy
}

/** Copies workspace packages as links, which then lead into the copy. */
function linkPackages(packages: string, target: string): void {
  mkdirSync(path.join(target, 'node_modules'), { recursive: true })
  for (const name of readdirSync(packages).filter((one) => !one.startsWith('.vite')))
    if (name === '@tizara')
      cpSync(path.join(packages, name), path.join(target, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(path.join(packages, name), path.join(target, 'node_modules', name))
}

/**
 * Returns the mutants that compile. One compiler run checks all mutants, each as a file beside the original, and ignores unused names.
 */
export function compiling(copy: string, mutants: readonly Mutant[]): Mutant[] {
  const beside = mutants.flatMap((mutant, index) =>
    mutant.file.endsWith('.ts') ? [{ mutant, file: path.join(copy, mutant.file.replace(/ts$/, `mutant-${index}.ts`)) }] : [],
  )
  for (const { mutant, file } of beside) writeFileSync(file, plant(readFileSync(path.join(copy, mutant.file), 'utf8'), mutant))
  const unused = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false']
  const tsc = spawnSync(path.join(copy, 'node_modules/.bin/tsc'), ['--noEmit', '--pretty', 'false', ...unused, '-p', 'tsconfig.json'], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  for (const { file } of beside) rmSync(file)
  const failed = new Set([...tsc.stdout.matchAll(/\.mutant-(\d+)\.ts\(/g)].map(([, index]) => Number(index)))
  if (tsc.status !== 0 && failed.size === 0) throw new Error(`tsc: ${tsc.stdout}${tsc.stderr}`)
  return mutants.filter((_, index) => !failed.has(index))
}

/** Writes a mutant to the copy. Returns a function that restores the original file. */
export function plantIn(copy: string, mutant: Mutant): () => void {
  const target = path.join(copy, mutant.file)
  const source = readFileSync(target, 'utf8')
  writeFileSync(target, plant(source, mutant))
  return () => writeFileSync(target, source)
}
