import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startEntry } from '../../test/entry.ts'
import { VERSION } from '../platform/release.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (settings: string | undefined, ...args: string[]) => {
  const file = path.join(folder, 'tizara.env')
  if (settings !== undefined) writeFileSync(file, settings)
  const entry = startEntry('tizara', { TIZARA_SETTINGS: settings === undefined ? path.join(folder, 'none') : file }, ...args)
  return { code: await entry.ended, said: entry.said }
}

it('knows its commands, and no other', async () => {
  expect(await run('', 'version')).toEqual({ code: 0, said: `${VERSION}\n` })
  expect((await run('', 'help')).said).toContain('  doctor ')
  for (const name of ['constructor', 'serve', '../seed'])
    expect(await run('', name)).toMatchObject({ code: 2, said: expect.stringContaining(`There is no command ${name}.`) })
})

it('goes on with no settings file that it cannot read, or that names what is no setting', async () => {
  expect(await run(undefined, 'doctor')).toMatchObject({ code: 2, said: expect.stringContaining('ENOENT') })
  expect(await run('TOKEN_SECRT=x\nTZ=UTC\n', 'doctor')).toMatchObject({
    code: 2,
    said: expect.stringContaining('no settings: TOKEN_SECRT ('),
  })
})

it('reads settings from the file, below those of the environment, and lets what runs for long say it in the log', async () => {
  const { code, said } = await run('PORT=many\nNODE_ENV=production\n', 'doctor', '--json')
  expect([code, JSON.parse(said)]).toEqual([
    2,
    expect.objectContaining({ findings: [expect.objectContaining({ what: 'PORT: must be a port number' })] }),
  ])
  for (const name of ['api', 'worker'])
    expect(JSON.parse((await run('NO=1\n', name)).said)).toMatchObject({ level: 60, msg: expect.stringContaining('no settings: NO') })
})
