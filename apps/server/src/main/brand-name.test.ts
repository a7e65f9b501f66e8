import { beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import { CALENDAR_SAMPLES, PDF_SAMPLES, textsOfPdf } from '../../test/file-samples.ts'
import { createTestMember, TEST_PASSWORD } from '../../test/members.ts'
import { squarePng } from '../../test/multipart.ts'
import { ENGLISH } from '../gateways/mailer/index.ts'
import { toMessage } from '../gateways/mailer/message.ts'
import { SAMPLES } from '../gateways/mailer/samples.ts'
import { renderMail } from '../gateways/mailer/templates.ts'
import { addApiPage } from '../http/api-page/index.ts'
import { authRoutes } from '../modules/auth/index.ts'
import { stopAndAuditPayouts } from '../modules/withdrawals/index.ts'
import { relyingParty } from '../modules/auth/factors/passkey-challenges.ts'
import { settingsRoutes } from '../modules/settings/index.ts'
import { stakingRoutes } from '../modules/staking/index.ts'
import { defaultBrand, setBrand } from '../platform/config/brand.ts'

/** Name of the product, which no member of a platform with another name may see. Paths of specified calls contain it in lower case. */
const PRODUCT = /Tizara/
const terms = 'https://coral.example/terms'
const mark = await squarePng(96)

let app: TestApp
beforeAll(async () => {
  const { db } = await testDatabase()
  app = await testApp(db, {
    routes: (bind, deps) => {
      authRoutes(bind, stopAndAuditPayouts)
      settingsRoutes(bind)
      stakingRoutes(bind)
      setBrand(deps.config, {
        ...defaultBrand('Coral'),
        version: 1,
        senderName: 'Coral Bank',
        accent: '#0b57d0',
        logo: { hash: 'a'.repeat(64), mark },
        links: [[(t) => t('Terms'), terms]],
      })
    },
    env: { TOKEN_SYMBOL: 'CRL', PUBLIC_URL: 'https://coral.example', MAIL_FROM: 'hello@coral.example' },
    addPages: (instance, deps) => Promise.resolve(addApiPage(instance, deps.config)),
  })
})
it('[GN-27] [GN-10] names only the brand in every mail, with its sender, accent and links', () => {
  const { config } = app.deps
  for (const [name, { template, data }] of Object.entries(SAMPLES)) {
    const mail = renderMail(config, template, data)
    const message = toMessage(config, { id: '1', to: 'ada@example.com', date: app.clock.now(), ...mail })
    expect([name, JSON.stringify(message)]).toEqual([name, expect.not.stringMatching(PRODUCT)])
    expect(message.from).toEqual({ name: 'Coral Bank', address: 'hello@coral.example' })
    expect(mail.text).toContain(`Terms: ${terms}`)
    expect(mail.html).toContain(`href="${terms}"`)
    expect(mail.html).toMatch(/color:#0b57d0"><img [^>]+>Coral<\/p>/)
    expect(mail.html.match(/<img/g)).toHaveLength(1)
    expect(mail.html).toContain(`src="https://coral.example/brand/${'a'.repeat(64)}-96.png" alt=""`)
    expect(mail.html).not.toContain('#0b6e72')
  }
})

it('[GN-10] swaps the logo of a mail in the dark theme, and puts it before the name when the text runs from right to left', () => {
  const { config } = app.deps
  const logoDark = { hash: 'b'.repeat(64), mark }
  const { html } = renderMail({ ...config, brand: { ...config.brand, logoDark } }, 'signInCode', { code: '123456' }, 'ar')
  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(html).toContain('>الشروط</a>')
  expect(html).toMatch(/<img class="on-light"[^>]+a-96\.png[^>]+margin:0 0 0 10px[^>]+><img class="on-dark"[^>]+b-96\.png[^>]+display:none/)
  expect(html).toContain('.on-light{display:none!important}.on-dark{display:inline!important}')
})

it('[GN-27] names only the brand in each PDF and calendar, with its logo', async () => {
  const head = { brand: app.deps.config.brand, language: ENGLISH }
  for (const [name, render] of Object.entries(PDF_SAMPLES)) {
    const bytes = await render(head)
    const raw = Buffer.from(bytes).toString('latin1')
    expect([name, PRODUCT.test(raw), raw.includes('/Subtype /Image')]).toEqual([name, false, true])
    const text = await textsOfPdf(bytes)
    expect([name, text.includes('Coral'), PRODUCT.test(text)]).toEqual([name, true, false])
  }
  for (const [name, render] of Object.entries(CALENDAR_SAMPLES))
    expect([name, render(head).includes('Coral'), PRODUCT.test(render(head))]).toEqual([name, true, false])
})

it('[GN-27] names only the brand in authenticator apps, passkeys, the calendar, the API page and the configuration', async () => {
  const member = await createTestMember(app.db)
  const { token } = await app.signIn(member.id)
  const enrollment = await app.call('POST', '/auth/totp/begin', { token, body: { password: TEST_PASSWORD } })
  expect(enrollment.body.data.uri).toMatch(/^otpauth:\/\/totp\/Coral/)
  const { url } = (await app.call('POST', '/staking/calendar-link', { token })).body.data
  const calendar = await app.call('GET', String(url).replace('https://coral.example', ''))
  const texts = [
    enrollment.body.data.uri,
    relyingParty(app.deps).name,
    calendar.text,
    (await app.call('GET', '/api/docs')).text,
    (await app.call('GET', '/api/openapi.json')).text,
    (await app.call('GET', '/config')).text,
  ]
  expect(texts.map((text) => /Coral/.test(text))).toEqual(texts.map(() => true))
  expect(texts.map((text) => PRODUCT.exec(text)?.[0])).toEqual(texts.map(() => undefined))
})
