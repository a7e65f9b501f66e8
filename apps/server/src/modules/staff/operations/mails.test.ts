import { beforeAll, describe, expect, it } from 'vitest'
import { type StaffHouse, staffHouse } from '../../../../test/staff-house.ts'

interface MailRow {
  name: string
  title: string
  own: boolean
  optional: boolean
}

let house: StaffHouse
beforeAll(async () => {
  house = await staffHouse()
})

describe('the mails that staff can look at', () => {
  it('[GN-09] [GN-10] are all there are, each readable as a member gets it, in the brand, with nothing left to fill', async () => {
    const { body } = await house.get('/staff/mails', house.support)
    const mails: MailRow[] = body.data
    expect(mails.length).toBeGreaterThan(15)
    expect(mails.filter(({ optional }) => optional).map(({ name }) => name)).toEqual(['money-in'])
    for (const { name, title } of mails) {
      const { body: mail } = await house.post(`/staff/mails/${name}/preview`, house.support, {})
      expect(mail.data).toMatchObject({ name, title })
      expect([name, mail.data.subject]).toEqual([name, expect.stringMatching(/^Tizara: ./)])
      expect([name, mail.data.text]).toEqual([name, expect.not.stringMatching(/undefined|\[object|\{\w+\}/)])
    }
  })

  it('have a name each, and nothing is sent by looking', async () => {
    const before = await house.at.db.selectFrom('mail_outbox').select('id').execute()
    for (const name of ['nothing', 'constructor', 'Payout-Paid', '__proto__'])
      expect((await house.post(`/staff/mails/${name}/preview`, house.support, {})).status).not.toBe(200)
    await house.post('/staff/mails/payout-paid/preview', house.support, {})
    expect(await house.at.db.selectFrom('mail_outbox').select('id').execute()).toEqual(before)
  })
})
