import type { BrandValue } from '@tizara/contract/staff-values'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { multipart, squarePng } from '../../../test/multipart.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../test/staff-instance.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { brandAt, loadBrand, readLogo, readPublicLogo } from './index.ts'

let instance: StaffInstance
const clock = testClock('2026-03-02T09:00:00Z')
beforeAll(async () => {
  instance = await staffInstance(clock)
})

/** Moves the clock, and signs the staff in again. */
async function later(ms: number): Promise<void> {
  clock.set(new Date(clock.now().getTime() + ms))
  for (const who of [instance.maker, instance.checker]) who.token = (await instance.at.signIn(who.id)).token
}
const DAY = 86_400_000

const svg = (content: string, size = '64') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}">${content}</svg>`,
  )
const DISC = '<circle cx="32" cy="32" r="30" fill="#1a73e8"/>'

async function upload(bytes: Uint8Array, who: Person = instance.maker) {
  const sent = await multipart({}, { name: 'logo', type: 'image/svg+xml', bytes })
  const reply = await instance.at.app.inject({
    method: 'POST',
    url: '/api/v1/staff/brand/logo',
    payload: sent.payload,
    headers: { ...sent.headers, authorization: who.token },
  })
  return { status: reply.statusCode, body: reply.json<{ message: string; data?: { hash: string } }>() }
}
const hashOf = async (bytes: Uint8Array) => (await upload(bytes)).body.data?.hash ?? ''
const propose = async (value: object, startsAt?: Date) =>
  instance.post('/staff/changes', instance.maker, {
    subject: 'brand',
    value,
    reason: 'our name',
    ...(startsAt === undefined ? {} : { startsAt }),
  })
const approve = async (id: string) => instance.post(`/staff/changes/${id}/approve`, instance.checker, {})
/** Proposes and approves a brand, and reads it as each process does. */
async function decide(value: object): Promise<void> {
  const { body } = await propose(value)
  expect((await approve(String(body.data.id))).status).toBe(200)
  await loadBrand(instance.at.db, instance.at.deps)
}
const current = (): Promise<BrandValue> => brandAt(instance.at.db, instance.at.deps, clock.now())

describe('a logo', () => {
  it('is rendered to PNG in two sizes, whether it is SVG or PNG', async () => {
    for (const bytes of [svg(DISC), await squarePng(300)]) {
      const hash = await hashOf(bytes)
      for (const side of ['96', '512'] as const) {
        const stored = await readLogo(instance.at.db, hash, side)
        expect(await sharp(stored).metadata()).toMatchObject({ format: 'png', width: Number(side), height: Number(side) })
      }
    }
  })

  it.each<[reason: string, bytes: () => Buffer | Promise<Buffer>]>([
    ['it contains a script', () => svg(`${DISC}<script>alert(1)</script>`)],
    ['it contains a script', () => svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg">1</svg:script>')],
    ['it contains an event handler', () => svg('<circle r="9" onload="alert(1)"/>')],
    ['it contains an event handler', () => svg('<circle r="9"\nONCLICK = "alert(1)"/>')],
    ['it contains foreignObject', () => svg('<foreignObject><p>x</p></foreignObject>')],
    ['it links to another file', () => svg('<use href="https://example.com/x.svg#a"/>')],
    ['it links to another file', () => svg("<a xlink:href = 'javascript:alert(1)'><circle r='9'/></a>")],
    ['it links to another file', () => svg('<circle r="9" fill="url(https://example.com/x)"/>')],
    ['it links to a style sheet', () => svg('<style>@import "https://example.com/x.css"</style>')],
    ['it contains another picture', () => svg('<image href="data:image/png;base64,AAAA"/>')],
    ['it is animated', () => svg('<circle r="9"><animate attributeName="r"/></circle>')],
    ['it declares a document type or an entity', () => Buffer.concat([Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]>'), svg(DISC)])],
    ['it is 1 × 1 px, and must have between 16 and 4096 px a side', () => svg(DISC, '1')],
    ['it is 20000 × 20000 px, and must have between 16 and 4096 px a side', () => svg(DISC, '20000')],
    ['it is 64 × 32 px, and must be square', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"/>')],
    ['it is 255 × 255 px, and must have between 256 and 4096 px a side', () => squarePng(255)],
    ['it is larger than 200 kB', () => svg(`<!--${'x'.repeat(200_000)}-->`)],
    ['it is animated', async () => Buffer.concat([await squarePng(), Buffer.from('acTL')])],
    ['it cannot be read', async () => (await squarePng()).subarray(0, 40)],
    ['it cannot be read', () => Buffer.from('<svg><circle></svg>')],
    ['it is neither SVG nor PNG', () => Buffer.from('GIF89a')],
    [
      'it is neither SVG nor PNG',
      () =>
        sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
          .webp()
          .toBuffer(),
    ],
  ])('is refused because %s', async (reason, bytes) => {
    const { status, body } = await upload(await bytes())
    expect([status, body.message]).toEqual([400, `The logo cannot be used: ${reason}`])
  })

  it('is refused at 10 MB', async () => {
    expect(await upload(svg(`<!--${'x'.repeat(10_000_000)}-->`))).toMatchObject({
      status: 400,
      body: { message: 'File size should be less than 1 MB' },
    })
  })

  it('may use its own gradients and symbols', async () => {
    const own = '<defs><linearGradient id="g"><stop stop-color="#f00"/></linearGradient><circle id="c" r="9"/></defs>'
    expect((await upload(svg(`${own}<use href="#c"/><use xlink:href='#c' fill="url(#g)" style="fill:url('#g')"/>`))).status).toBe(200)
  })

  it('is uploaded by admins only', async () => {
    expect((await upload(svg(DISC), instance.support)).status).toBe(404)
  })

  it('is shown to staff only until a brand with it is in force', async () => {
    const logo = await hashOf(svg('<circle r="7"/>'))
    const isPublic = async () => (await readPublicLogo(instance.at.db, { clock }, logo, '96')) !== undefined
    const shownTo = async (token?: string) =>
      (await instance.at.call('GET', `/staff/brand/logo/${logo}`, token === undefined ? {} : { token })).status
    const member = await instance.person()
    const { body } = await propose({ name: 'Coral', logo }, new Date(clock.now().getTime() + DAY))
    expect((await approve(String(body.data.id))).status).toBe(200)
    expect(await isPublic()).toBe(false)
    expect([await shownTo(instance.checker.token), await shownTo(member.token), await shownTo()]).toEqual([200, 404, 401])
    await later(DAY)
    expect(await isPublic()).toBe(true)
    await decide({ name: 'Coral' })
    expect(await isPublic()).toBe(true)
  })

  it('is deleted 30 days after its upload unless a brand names it, and a proposal that names it is then refused', async () => {
    const [used, unused] = [await hashOf(svg(DISC)), await hashOf(svg('<circle r="5"/>'))]
    await decide({ name: 'Coral', logo: used })
    const { body } = await propose({ name: 'Coral', logo: unused })
    await later(31 * DAY)
    await upload(svg('<circle r="6"/>'))
    expect(await readLogo(instance.at.db, used, '96')).toBeDefined()
    expect(await readLogo(instance.at.db, unused, '96')).toBeUndefined()
    expect((await approve(String(body.data.id))).status).toBe(400)
    expect(await current()).toMatchObject({ logo: used })
  })
})

describe('a brand', () => {
  it('takes effect when a second admin approves it, and not before', async () => {
    const { body } = await propose({ name: 'Amber', accent: '#FFD400 ', terms: 'https://example.com/terms' })
    expect((await current()).name).not.toBe('Amber')
    expect((await instance.post(`/staff/changes/${body.data.id}/approve`, instance.maker, {})).status).toBe(400)
    await approve(String(body.data.id))
    expect(await current()).toMatchObject({ name: 'Amber', accent: '#ffd400', terms: 'https://example.com/terms', privacy: null })
  })

  it('says which colours are used instead of an accent without enough contrast', async () => {
    const { body } = await instance.post('/staff/changes/preview', instance.maker, {
      subject: 'brand',
      value: { name: 'A', accent: '#ffd400' },
    })
    expect(body.data.rows).toContainEqual({
      label: 'Links, light theme',
      before: '#ffd400',
      after: expect.stringMatching(/^#[0-9a-f]{6} \(nearest with enough contrast\)$/),
    })
    expect(body.data.rows).toContainEqual({ label: 'Links, dark theme', after: '#ffd400' })
  })

  it('takes effect at its start, and not after its cancellation', async () => {
    const start = new Date(clock.now().getTime() + DAY)
    const { body } = await propose({ name: 'Later' }, start)
    await approve(String(body.data.id))
    const second = await propose({ name: 'Last' }, new Date(start.getTime() + DAY))
    expect((await approve(String(second.body.data.id))).status).toBe(200)
    expect((await instance.post(`/staff/changes/${second.body.data.id}/cancel`, instance.maker, { reason: 'x' })).status).toBe(200)
    expect((await current()).name).not.toBe('Later')
    await later(3 * DAY)
    expect((await current()).name).toBe('Later')
  })

  it.each([
    { terms: 'javascript:alert(1)' },
    { terms: 'http://example.com' },
    { support: 'https://user:secret@example.com' },
    { imprint: 'https://' },
    { privacy: '/privacy' },
    { accent: 'red' },
    { accent: 'url(x)' },
    { accent: '#fff' },
    { accent: '#ffffff}body{display:none' },
    { logo: 'a'.repeat(64) },
    { logo: '../x' },
    { logoDark: 'a'.repeat(64) },
    { name: '' },
    { name: 'A\nB' },
    { name: 'x'.repeat(41) },
    { extra: 1 },
  ])('is refused with %o', async (value) => {
    expect((await propose({ name: 'Coral', ...value })).status).toBe(400)
  })
})
