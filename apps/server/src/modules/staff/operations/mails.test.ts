import { describe, expect, it } from 'vitest'
import { staffInstance } from '../../../../test/staff-instance.ts'

interface MailRow {
  name: string
  title: string
  own: boolean
  optional: boolean
}

const instance = await staffInstance()

describe('mail previews', () => {
  it('[GN-09] [GN-10] cover all mails, each readable as sent, in the brand, with no placeholder left', async () => {
    const { body } = await instance.get('/staff/mails', instance.support)
    const mails: MailRow[] = body.data
    expect(mails.length).toBeGreaterThan(15)
    expect(mails.filter(({ optional }) => optional).map(({ name }) => name)).toEqual(['money-in'])
    for (const { name, title } of mails) {
      const { body: mail } = await instance.post(`/staff/mails/${name}/preview`, instance.support, {})
      expect(mail.data).toMatchObject({ name, title })
      expect([name, mail.data.subject]).toEqual([name, expect.stringMatching(/^Tizara: ./)])
      expect([name, mail.data.text]).toEqual([name, expect.not.stringMatching(/undefined|\[object|\{\w+\}/)])
    }
  })

  it('have unique names, and send nothing', async () => {
    const before = await instance.at.db.selectFrom('mail_outbox').select('id').execute()
    for (const name of ['nothing', 'constructor', 'Payout-Paid', '__proto__'])
      expect((await instance.post(`/staff/mails/${name}/preview`, instance.support, {})).status).not.toBe(200)
    await instance.post('/staff/mails/payout-paid/preview', instance.support, {})
    expect(await instance.at.db.selectFrom('mail_outbox').select('id').execute()).toEqual(before)
  })
})
