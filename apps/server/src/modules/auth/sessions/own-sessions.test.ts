import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../../test/auth-app.ts'
import { createTestMember } from '../../../../test/members.ts'

const app = await authTestApp()

describe('sessions of a member', () => {
  it('are listed with device and location, newest first, with the current one marked', async () => {
    const member = await createTestMember(app.db)
    const phone = await app.signIn(member.id, {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
    })
    const desk = await app.signIn(member.id, { userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36' })
    const reply = await app.call('GET', '/auth/sessions', { token: phone.token })
    expect(reply.body.data).toMatchObject([
      { device: 'Chrome on Windows', ip: '127.0.0.1', current: false },
      { device: 'Safari on iOS', ip: '127.0.0.1', current: true },
    ])
    expect(reply.text).not.toContain(desk.cookie.slice('refreshToken='.length))
  })

  it('can be ended by their owner only', async () => {
    const [member, stranger] = [await createTestMember(app.db), await createTestMember(app.db)]
    const [here, otherSession, strange] = [await app.signIn(member.id), await app.signIn(member.id), await app.signIn(stranger.id)]
    const list = await app.call('GET', '/auth/sessions', { token: here.token })
    const id = String(list.body.data.find((row: { current: boolean }) => !row.current).id)
    expect((await app.call('DELETE', `/auth/sessions/${id}`, { token: strange.token })).status).toBe(404)
    expect((await app.call('GET', '/profile', { token: otherSession.token })).status).toBe(200)
    expect((await app.call('DELETE', `/auth/sessions/${id}`, { token: here.token })).status).toBe(200)
    expect((await app.call('GET', '/profile', { token: otherSession.token })).status).toBe(401)
    expect((await app.call('POST', '/auth/refresh-token', { cookie: otherSession.cookie })).status).toBe(401)
    expect((await app.call('DELETE', `/auth/sessions/${id}`, { token: here.token })).status).toBe(404)
    expect((await app.call('DELETE', '/auth/sessions/nothing', { token: here.token })).status).toBe(404)
  })
})
