import { describe, expect, it } from 'vitest'
import { authTestApp, freshEmail } from '../../../test/auth-app.ts'
import { runAudit } from '../../ledger/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { auditChecks } from '../audit/index.ts'

const app = await authTestApp()

async function registered() {
  const email = freshEmail()
  const { body } = await app.register({ email })
  await app.runJobs()
  return { token: String(body.data.token), code: app.mails.codeFor(email) }
}
const verify = (token: string, code: string) => app.call('POST', '/limit/auth/verify-token', { token, body: { token: code } })
const trail = () => app.db.selectFrom('audit_event').select(['id', 'at']).orderBy('id').execute()

describe('clock change', () => {
  it.each([
    ['an hour', DAY_MS / 24],
    ['a day', DAY_MS],
    ['a year', 365 * DAY_MS],
  ])('forward by %s expires tokens and codes, and new ones work', async (_, jump) => {
    const { token, code } = await registered()
    app.clock.advance(jump)
    expect((await app.call('GET', '/profile', { token })).status).toBeOneOf([401, 403])
    expect((await verify(token, code)).status).not.toBe(200)
    const next = await registered()
    expect((await verify(next.token, next.code)).status).toBe(200)
  })

  it.each([
    ['an hour', DAY_MS / 24],
    ['a day', DAY_MS],
  ])('back by %s reuses no code, keeps the order of the audit log, and breaks nothing', async (_, jump) => {
    const { token, code } = await registered()
    const used = await verify(token, code)
    expect(used.status).toBe(200)
    const before = await trail()
    app.clock.advance(-jump)
    expect((await verify(String(used.body.data.token), code)).status).not.toBe(200)
    expect((await verify(token, code)).status).not.toBe(200)
    const next = await registered()
    expect((await verify(next.token, next.code)).status).toBe(200)
    const after = await trail()
    expect(after.length).toBeGreaterThan(before.length)
    expect(after.slice(0, before.length)).toEqual(before)
    const [last, first] = [before.at(-1), after[before.length]]
    expect(first !== undefined && last !== undefined && first.id > last.id && first.at < last.at).toBe(true)
    expect((await runAudit(app.db, auditChecks)).filter((one) => one.broken > 0)).toEqual([])
  })
})
