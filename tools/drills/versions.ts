import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Unpacked release. */
export interface Version {
  folder: string
  version: string
  /** Path of the version's `tizara` command. */
  command: string
}

const about = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }

/** Packs this clone and unpacks it into a folder. */
export function packCurrentVersion(folder: string): Version {
  execFileSync(process.execPath, ['tools/release/release.mjs', '--out', folder], { cwd: root, stdio: 'ignore' })
  const archive = readdirSync(folder).find((name) => name.endsWith('.tar.gz')) ?? ''
  execFileSync('tar', ['-xzf', path.join(folder, archive), '-C', folder])
  return at(path.join(folder, archive.replace('.tar.gz', '')), about.version)
}

const at = (folder: string, version: string): Version => ({ folder, version, command: path.join(folder, 'bin', 'tizara') })

/** Creates another version in a folder beside a version. Both share all files except the given files. */
export function anotherVersion(of: Version, version: string, files: Readonly<Record<string, string>> = {}): Version {
  const copy = at(of.folder.replace(/tizara-[\d.]+/, `tizara-${version}`), version)
  execFileSync('cp', ['-al', of.folder, copy.folder])
  const package_ = JSON.parse(readFileSync(path.join(of.folder, 'package.json'), 'utf8')) as object
  replace(copy, 'package.json', JSON.stringify({ ...package_, version }))
  for (const [file, text] of Object.entries(files)) replace(copy, file, text)
  return copy
}

/** Replaces a version's file without changing the shared original. */
export function replace({ folder }: Version, file: string, text: string): void {
  const target = path.join(folder, file)
  writeFileSync(`${target}.new`, text)
  rmSync(target, { force: true })
  renameSync(`${target}.new`, target)
}
