import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { addSandboxOutbox, createMailer, enqueueMail, mailJobs } from './index.ts'

async function outboxApp(env: Record<string, string> = {}): Promise<TestApp> {
  const { db } = await testDatabase()
  return testApp(db, { env, routes: () => undefined, jobs: (deps) => mailJobs(createMailer(deps.config)), addPages: addSandboxOutbox })
}

describe('/sandbox/outbox', () => {
  it('[GN-10] shows the mails in the outbox folder, without script or inline style', async () => {
    const app = await outboxApp()
    expect((await app.call('GET', '/sandbox/outbox')).text).toContain('No mail has been sent yet')
    for (const to of ['ada@gmail.com', 'grace@gmail.com']) {
      await inTransaction(app.db, (tx) =>
        enqueueMail(tx, app.deps, { to, template: 'verification', data: { code: '424242', token: 'the-token' } }),
      )
    }
    await app.runJobs()
    const files = readdirSync(path.join(app.deps.config.dataDir, 'outbox'))
    expect(files).toHaveLength(2)
    expect(files.every((name) => name.endsWith('.eml'))).toBe(true)
    const list = await app.call('GET', '/sandbox/outbox')
    expect(list.text).toContain('ada@gmail.com')
    expect((await app.call('GET', '/sandbox/outbox?to=Ada@gmail.com')).text).not.toContain('grace@gmail.com')
    const link = /href="(\/sandbox\/outbox\/[^"]+\.eml)"/.exec(list.text)?.[1] ?? ''
    const mail = await app.call('GET', link)
    expect(mail.text).toContain('424242')
    expect(mail.text).toContain('<a href="http://localhost:3000/auth/verify?token=the-token">')
    for (const page of [list, mail]) {
      expect(page.headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'")
      expect(page.text).not.toMatch(/<script|style=|<style/)
    }
    expect((await app.call('GET', '/sandbox/outbox.css')).headers['content-type']).toContain('text/css')
  })

  it('answers 404 for a missing mail and reads no file outside the folder', async () => {
    const app = await outboxApp()
    mkdirSync(path.join(app.deps.config.dataDir, 'outbox'))
    writeFileSync(path.join(app.deps.config.dataDir, 'secret.eml'), 'Subject: secret\n\nsecret')
    for (const name of ['nothing.eml', '..%2Fsecret.eml', '%2e%2e%2fsecret.eml', 'secret', '%00.eml']) {
      const reply = await app.call('GET', `/sandbox/outbox/${name}`)
      expect(reply.status).toBe(404)
      expect(reply.text).not.toContain('Subject: secret')
    }
  })

  it('does not exist with a mail server or without play money', async () => {
    for (const env of [{ SMTP_URL: 'smtp://127.0.0.1:1' }, { SANDBOX: 'off' }]) {
      const app = await outboxApp(env)
      expect((await app.call('GET', '/sandbox/outbox')).status).toBe(404)
    }
  })
})
