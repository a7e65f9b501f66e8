import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasSmallDisks } from '../../../../../test/small-disk.ts'
import { startEmbedded } from './embedded.ts'
import { makePrivateFolder, keepFilesPrivate } from './private-folder.ts'

let folder: string
let umask: number
beforeEach(() => {
  umask = process.umask(0o022)
  folder = mkdtempSync(path.join(tmpdir(), 'open-'))
  chmodSync(folder, 0o755)
})
afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true, force: true })
})

const isOpen = (file: string) => (statSync(file).mode & 0o077) !== 0

/** Lists files that another user could open. */
const withinReach = (root: string): string[] =>
  readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(root, entry.name)
    if (!isOpen(file)) return []
    return entry.isDirectory() ? [file, ...withinReach(file)] : [file]
  })

describe('folder of a database', () => {
  let data: string
  let accessible: string[]
  beforeAll(async () => {
    const previous = process.umask(0o022)
    data = mkdtempSync(path.join(tmpdir(), 'open-'))
    chmodSync(data, 0o755)
    mkdirSync(path.join(data, 'database', 'global'), { recursive: true, mode: 0o755 })
    // A full disk or a power loss leaves an empty owner file.
    writeFileSync(path.join(data, 'owner.pid'), '')
    keepFilesPrivate()
    const embedded = await startEmbedded(data)
    writeFileSync(path.join(data, 'mail.eml'), 'the code is 123456')
    accessible = isOpen(data) ? [data] : withinReach(data)
    await embedded.close()
    process.umask(previous)
  })
  afterAll(() => rmSync(data, { recursive: true, force: true }))

  it('makes an accessible data folder and its content private', () => {
    expect(accessible).toEqual([])
    expect(withinReach(data)).toEqual([])
    expect(readdirSync(data, { recursive: true }).length).toBeGreaterThan(500)
  })

  it('rejects a database folder without PG_VERSION and changes nothing in it', async () => {
    rmSync(path.join(data, 'database', 'PG_VERSION'))
    const before = readdirSync(data, { recursive: true }).length
    await expect(startEmbedded(data)).rejects.toThrow('has files but no PG_VERSION, so it is not a complete database. Nothing was changed.')
    expect(readdirSync(data, { recursive: true })).toHaveLength(before)
  })
})

it('rejects an accessible folder of another user', () => {
  if (process.getuid?.() !== 0) return expect(() => makePrivateFolder('/')).toThrow('belongs to another user')
  const inner = path.join(folder, 'inner')
  mkdirSync(inner, { mode: 0o755 })
  const script = `process.setuid(65534); import('${import.meta.resolve('./private-folder.ts')}').then(({ makePrivateFolder }) => makePrivateFolder('${inner}')).catch((error) => console.log(error.message))`
  chmodSync(folder, 0o755)
  expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toContain('belongs to another user')
})

it('gives the reason why no database starts in a folder', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  await expect(startEmbedded(file)).rejects.toThrow(`${file} is not a folder. Set another DATA_DIR.`)
  await expect(startEmbedded(path.join(folder, 'a'.repeat(90)))).rejects.toThrow('too long for the socket in it')
  const script = `if (process.getuid() === 0) process.setuid(65534); import('${import.meta.resolve('./embedded.ts')}').then(({ startEmbedded }) => startEmbedded('/etc/none')).catch((error) => console.log(error.message))`
  const output = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  expect(output).toContain('/etc/none cannot be written by this user. Give it to this user, or set another DATA_DIR.')
  expect(readdirSync(folder)).toEqual(['file'])
})

it('reports a folder that the system cannot create, instead of trying without end', () => {
  const script = `import('${import.meta.resolve('./embedded.ts')}').then(({ startEmbedded }) => startEmbedded('/proc/none/data')).catch((error) => console.log(error.message))`
  const output = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 60_000 })
  expect(output).toContain('/proc/none/data cannot be created. Set another DATA_DIR.')
})

it('calls a read-only disk by its name', () => {
  if (!hasSmallDisks) return expect(hasSmallDisks).toBe(false)
  const mounted = 'mount -t tmpfs none "$0" && mkdir -m 700 "$0/data" && mount -o remount,ro "$0" && exec "$@"'
  const script = `import('${import.meta.resolve('./embedded.ts')}').then(({ startEmbedded }) => startEmbedded('${folder}/data')).catch((error) => console.log(error.message))`
  const options = ['--user', '--map-root-user', '--mount', 'sh', '-c', mounted, folder, process.execPath, '-e', script]
  expect(spawnSync('unshare', options, { encoding: 'utf8' }).stdout).toContain(
    `${folder}/data is on a read-only disk. Mount it for writing`,
  )
})
