import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { SETTINGS } from './environment.ts'

const PRODUCTION: Record<string, string> = {
  NODE_ENV: 'production',
  TOKEN_SECRET: 't'.repeat(40),
  DATA_KEY: 'd'.repeat(40),
  DATABASE_URL: 'postgres://localhost/house',
  SMTP_URL: 'smtps://mail.platform.example',
  MAIL_FROM: 'platform@platform.example',
  PAYMENT_PROVIDER_URL: 'https://api.pay.example',
  PAYMENT_PROVIDER_SECRET: 's'.repeat(40),
  PAYMENT_PROVIDER_KEY: 'the-key-of-the-provider',
  PAYMENT_INVOICE_HOSTS: 'pay.example',
  PUBLIC_URL: 'https://platform.example',
}
const without = (name: string, env: Record<string, string>) => Object.fromEntries(Object.entries(env).filter(([key]) => key !== name))
const outcome = (env: Record<string, string>) => {
  try {
    return readConfig(env)
  } catch (error) {
    return String(error)
  }
}

const names = SETTINGS.map((setting) => setting.name)
const BLANKS = { nothing: '', blanks: '  \t', 'a line end': '\r\n', 'a hard blank': '\u00a0', 'an invisible character': '\u200b\ufeff' }

describe.each(names)('blank %s', (name) => {
  it.each(Object.entries(BLANKS))('counts as missing, in production and outside: %s', (_, blank) => {
    expect(outcome({ ...PRODUCTION, [name]: blank })).toEqual(outcome(without(name, PRODUCTION)))
    expect(outcome({ NODE_ENV: 'test', [name]: blank })).toEqual(outcome(without(name, { NODE_ENV: 'test' })))
  })
})

describe('production settings', () => {
  it('are complete in this list, and each missing one is reported by name', () => {
    expect(readConfig(PRODUCTION).mode).toBe('production')
    for (const name of Object.keys(PRODUCTION).filter((one) => one !== 'NODE_ENV')) {
      expect(outcome({ ...PRODUCTION, [name]: ' ' }), name).toContain(`${name}: `)
    }
  })

  it.each(SETTINGS.filter((setting) => setting.minLength !== undefined))(
    'require at least $minLength characters for $name, not used twice',
    ({ name, minLength }) => {
      expect(outcome({ ...PRODUCTION, [name]: 'q'.repeat((minLength ?? 0) - 1) })).toContain(
        `${name}: a secret of at least ${minLength} characters`,
      )
      expect(typeof outcome({ ...PRODUCTION, [name]: 'q'.repeat(minLength ?? 0) })).toBe('object')
      const another = name === 'TOKEN_SECRET' ? 'PAYMENT_PROVIDER_SECRET' : 'TOKEN_SECRET'
      expect(outcome({ ...PRODUCTION, [name]: PRODUCTION[another] ?? '' })).toMatch(/a secret of its own, not that of/)
    },
  )

  it.each([
    ['SMTP_URL', 'mail.example'],
    ['SMTP_URL', 'https://mail.example'],
    ['SMTP_URL', 'smtp://'],
    ['MAIL_FROM', 'no-reply@localhost'],
    ['MAIL_FROM', 'no-reply@127.0.0.1'],
    ['MAIL_FROM', 'no-reply@house'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'House <platform@platform.example>'],
    ['DATABASE_URL', 'mysql://house:pass@db/house'],
    ['DATABASE_URL', 'db.example:5432/house'],
    ['DATABASE_URL', 'host=db.example dbname=house'],
    ['DATABASE_URL', 'postgres://house:pa/ss@db.example/house'],
    ['DATABASE_URL', 'postgres://house:1#ss@db.example/house'],
    ['DATABASE_URL', 'postgres://house:100%@db.example/house'],
    ['DATABASE_URL', 'postgres://house:pass@db1.example:5432,db2.example:5432/house'],
    ['DATABASE_READ_URL', 'postgres://house:pa/ss@db.example/house'],
  ])('%s=%s is rejected by name', (name, value) => {
    const refused = outcome({ ...PRODUCTION, [name]: value })
    expect(refused).toContain(`${name}: `)
    // There may be a password in it.
    if (name.startsWith('DATABASE')) expect(refused).not.toContain(value)
  })

  it.each([
    'postgres://house:p%40s%3As%2F%3F%23%5B%5D%2541%26%3D%2B%20%27%22%5C%C3%BC@db.example/house',
    'postgresql://house:pass@[::1]:6000/house?sslmode=verify-full',
    'postgres://house:pass@/house?host=/run/postgresql',
    'postgres://house@%2Frun%2Fpostgresql/house',
    'postgresql:///house?host=/run/postgresql&user=house',
  ])('DATABASE_URL=%s is accepted unchanged', (value) => {
    expect(outcome({ ...PRODUCTION, DATABASE_URL: value })).toMatchObject({ databaseUrl: value })
  })
})

describe('secret in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (contents: string) => {
    const name = path.join(folder, `file-${contents.length}`)
    writeFileSync(name, contents)
    return name
  }

  it.each(SETTINGS.filter((setting) => setting.fromFile).map((setting) => setting.name))(
    '%s is read from it without the line end',
    (name) => {
      const value = name.startsWith('DATABASE_') ? 'postgres://db/house' : name === 'SMTP_URL' ? 'smtp://mail.example' : 'w'.repeat(32)
      expect(outcome({ ...without(name, PRODUCTION), [`${name}_FILE`]: file(`${value}\n`) })).toEqual(
        outcome({ ...PRODUCTION, [name]: value }),
      )
      expect(outcome({ ...PRODUCTION, [name]: value, [`${name}_FILE`]: file(value) })).toContain('not both')
      for (const bad of [file(' \n'), path.join(folder, 'missing'), folder]) {
        expect(outcome({ ...without(name, PRODUCTION), [`${name}_FILE`]: bad })).toContain(`${name}_FILE: a file that can be read`)
      }
    },
  )
})

it('every setting is documented in docs/settings.md', () => {
  const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../../../../${file}`, import.meta.url)), 'utf8')
  const rows = read('docs/settings.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .join('\n')
  const untold = names.filter((name) => !rows.includes(`\`${name}\``))
  expect(untold).toEqual([])
})
