import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { startPooler } from '../../../../test/pooler.ts'
import { direct, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { VERSION } from '../platform/runtime/release.ts'
import { noAnswer } from '../platform/db/wait-for-schema.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (settings: string | undefined, ...args: string[]) => {
  const file = path.join(folder, 'tizara.env')
  if (settings !== undefined) writeFileSync(file, settings)
  const entry = startEntry('tizara', { TIZARA_SETTINGS: settings === undefined ? path.join(folder, 'none') : file }, ...args)
  return { code: await entry.ended, output: entry.output }
}

it('lists its commands, and rejects an unknown one', async () => {
  expect(await run('', 'version')).toEqual({ code: 0, output: `${VERSION}\n` })
  expect((await run('', 'help')).output).toContain('  doctor ')
  for (const name of ['constructor', 'serve', '../seed'])
    expect(await run('', name)).toMatchObject({ code: 2, output: expect.stringContaining(`Unknown command: ${name}.`) })
})

it('explains the arguments of each command without any settings', async () => {
  const bare = async (line: string) => {
    const entry = startEntry('tizara', { NODE_ENV: 'production', TIZARA_SETTINGS: '/dev/null' }, ...line.split(' '))
    return { code: await entry.ended, output: entry.output }
  }
  for (const line of ['help staff', 'staff help', 'staff --help', 'help staff approve-request', 'help settings'])
    expect([line, await bare(line)]).toEqual([line, { code: 0, output: expect.stringMatching(/kind=|sign-in/) }])
  expect(await bare('staff sign-in a@gmail.com')).toMatchObject({ code: 2, output: expect.stringContaining('Production needs') })
})

it('stops when it cannot read the settings file, or when the file has an unknown setting', async () => {
  expect(await run(undefined, 'doctor')).toMatchObject({ code: 2, output: expect.stringContaining('ENOENT') })
  expect(await run('TOKEN_SECRT=x\nTZ=UTC\n', 'doctor')).toMatchObject({
    code: 2,
    output: expect.stringContaining('unknown settings: TOKEN_SECRT ('),
  })
})

it('prefers the environment to the settings file, and logs errors of long-running commands', async () => {
  const { code, output } = await run('PORT=many\nNODE_ENV=production\n', 'doctor', '--json')
  expect([code, JSON.parse(output)]).toEqual([
    2,
    expect.objectContaining({ findings: [expect.objectContaining({ what: 'PORT: must be a port number' })] }),
  ])
  for (const name of ['api', 'worker'])
    expect(JSON.parse((await run('NO=1\n', name)).output)).toMatchObject({
      level: 60,
      msg: expect.stringContaining('unknown settings: NO'),
    })
})

it('each command ends with an error that names the setting when the database does not answer', async () => {
  const line = `DATABASE_URL=postgres://a:b@127.0.0.1:9/none\nDATA_DIR=${folder}\n`
  const hash = `0x${'1'.repeat(64)}`
  const commands = [
    'migrate',
    'audit',
    'rewards',
    'programme max-gain',
    'figures rebuild',
    `payments adopt ${hash}`,
    'backup a.dump',
    `restore ${path.join(folder, 'tizara.env')}`,
    'setup --admin a@gmail.com',
  ]
  for (const command of commands) {
    const { code, output } = await run(line, ...command.split(' '))
    expect([command, code, output.replace(/\(node:\d+\).*\n/g, '')]).toEqual([
      command,
      1,
      expect.stringMatching(/^The database does not answer: .*DATABASE_URL\.\n$/),
    ])
  }
})

it.each(['serve', 'api', 'worker', 'migrate', 'doctor'])('reads the settings file when npm starts %s', async (name) => {
  const file = path.join(folder, `${name}.env`)
  writeFileSync(file, 'PORT=many\n')
  const faulty = startEntry(name, { TIZARA_SETTINGS: file })
  expect([await faulty.ended, faulty.output]).toEqual([2, expect.stringContaining('PORT: must be a port number')])
  const missing = startEntry(name, { TIZARA_SETTINGS: path.join(folder, 'none.env') })
  expect([await missing.ended, missing.output]).toEqual([
    2,
    expect.stringMatching(/The settings file \S+none\.env cannot be read \(ENOENT\)/),
  ])
  expect(missing.output).not.toContain('    at ')
})

it('an environment setting overrides the file, also when one of them names a secret file', async () => {
  const secret = path.join(folder, 'url')
  writeFileSync(secret, 'postgres://a:b@127.0.0.1:9/of_file')
  const runWith = async (line: string, env: NodeJS.ProcessEnv) => {
    const settings = path.join(folder, 'one.env')
    writeFileSync(settings, `${line}\nDATA_DIR=${folder}\n`)
    const entry = startEntry('tizara', { TIZARA_SETTINGS: settings, ...env }, 'migrate')
    return { code: await entry.ended, output: entry.output }
  }
  const away = 'postgres://a:b@127.0.0.1:9/of_environment'
  for (const [line, env] of [
    [`DATABASE_URL_FILE=${secret}`, { DATABASE_URL: away }],
    [`DATABASE_URL=${away}`, { DATABASE_URL_FILE: secret }],
  ] as const)
    expect(await runWith(line, env)).toEqual({ code: 1, output: expect.stringMatching(/^The database does not answer/) })
  expect(await runWith(`DATABASE_URL=${away}\nDATABASE_URL_FILE=${secret}`, {})).toMatchObject({
    code: 2,
    output: expect.stringContaining('not both'),
  })
})

it('names the setting to check when the database rejects the login', async () => {
  const { url } = await testDatabase()
  if (url === undefined) throw new Error('this file has a PostgreSQL')
  const pooler = await startPooler(direct(url))
  onTestFinished(() => pooler?.stop())
  for (const at of [url, pooler?.url ?? url]) {
    const { code, output } = await run(`DATABASE_URL=${at.replace(/\/[^/]*$/, '/not_there')}\nDATA_DIR=${folder}\n`, 'migrate')
    expect([code, output]).toEqual([
      1,
      'The database does not answer: database "not_there" does not exist. Check PostgreSQL and DATABASE_URL.\n',
    ])
  }
  expect(noAnswer(new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'))).toContain('DATABASE_URL has none')
})
