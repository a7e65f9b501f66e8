import { Readable } from 'node:stream'
import { writeCsv } from '@tizara/contract/csv'
import Fastify from 'fastify'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { type StaffInstance, staffInstance } from '../../staff-instance.ts'
import { DECEIVES, TEXTS } from '../../hostile-texts.ts'
import { SAMPLES } from '../../../src/gateways/mailer/samples.ts'
import { type MailConfig, renderMail } from '../../../src/gateways/mailer/templates.ts'
import { sendFile } from '../../../src/http/pages/send-file.ts'
import { backgroundJobs } from '../../../src/jobs/background-jobs.job.ts'
import { runJob } from '../../../src/jobs/job.ts'
import { staffJobs } from '../../../src/modules/staff/index.ts'
import { statementPdf } from '../../../src/modules/wallets/statement-pdf.ts'
import { defaultBrand } from '../../../src/platform/config/brand.ts'

/** Texts in an older version's rows, or inserted by a database writer. */
const odd = Object.entries(TEXTS).map(([name, json]): [string, string] => [name, JSON.parse(json) as string])
const short = odd.filter(([, text]) => text.length <= 1_000)
const instance: StaffInstance = await staffInstance()
const config: MailConfig = instance.at.deps.config
const FORMULA = /^[\s\p{Cf}"]*[=+@\uff1d]/u

/** Parses a CSV file's cells. */
const cellsOf = (csv: string): string[] =>
  [...csv.matchAll(/(?:^|,|\r\n)("(?:[^"]|"")*"|[^",\r\n]*)/g)].map(([, cell = '']) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'))

describe('hostile text in output', () => {
  it.each(odd)('[I17] is no formula or terminal code in a CSV file: %s', (_, text) => {
    const csv = writeCsv([['before', text, `a;${text}`, `${text}\t=1`]])
    expect(csv).not.toMatch(DECEIVES)
    for (const cell of cellsOf(csv)) expect(cell).not.toMatch(FORMULA)
    expect(writeCsv([['x', `1;=1+1`]])).toBe('x,"1;=1+1"\r\n')
  })

  it.each(short)('[GN-10] creates no header, link or element in a mail: %s', (_, text) => {
    const strings = (value: unknown): unknown => (typeof value === 'string' ? text : Array.isArray(value) ? value.map(strings) : value)
    const elements = (html: string) => [...html.matchAll(/<[a-z/][^>]*>/gi)].map(([tag]) => tag.replace(/href="[^"]*"/, ''))
    for (const { template, data } of Object.values(SAMPLES)) {
      const filled = Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, ['step', 'how', 'code', 'token'].includes(key) ? value : strings(value)]),
      ) as typeof data
      const [mail, plain] = [renderMail(config, template, filled), renderMail(config, template, data)]
      expect(mail.subject).not.toMatch(/[\r\n\u2028\u2029]/)
      for (const part of [mail.subject, mail.text, mail.html, mail.unsubscribe ?? '']) expect(part).not.toMatch(DECEIVES)
      expect(elements(mail.html)).toEqual(elements(plain.html))
    }
  })

  it('changes no direction and adds no command in a statement', async () => {
    for (const [name, text] of short) {
      const bytes = await statementPdf({
        brand: defaultBrand('Tizara'),
        month: '2026-04',
        name: text,
        email: 'ada@example.com',
        writtenAt: new Date('2026-05-03T09:00:00Z'),
        wallets: [],
      })
      const { text: pages } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
      expect([name, pages]).not.toEqual([name, expect.stringMatching(DECEIVES)])
      expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/\/(JavaScript|JS|Launch|URI|OpenAction)\b/)
    }
  })

  it('stays in its cell of an export, and out of the file name', async () => {
    const names = short.map(([, text]) => text).filter((text) => !/[\0\p{Cs}]/u.test(text))
    for (const name of names)
      await instance
        .person({ name: 'x' })
        .then(({ id }) => instance.at.db.updateTable('member').set({ name }).where('id', '=', id).execute())
    const reply = await instance.post('/staff/exports', instance.maker, { list: 'members' })
    await runJob(instance.at.db, instance.at.deps, backgroundJobs(staffJobs), 'test')
    const file = await instance.get(`/staff/jobs/${reply.body.data.jobId}/file`, instance.maker)
    expect(file.headers['content-disposition']).toBe('attachment; filename="members.csv"')
    expect(file.text).not.toMatch(DECEIVES)
    const csv = file.text.replace(/^\ufeff/, '').trimEnd()
    const [cells, columns] = [cellsOf(csv), cellsOf(csv.slice(0, csv.indexOf('\r\n')))]
    expect(columns).toContain('Name')
    expect(cells.length % columns.length).toBe(0)
    expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([])
  })

  it.each(short)('creates no header of a download: %s', async (_, text) => {
    const app = Fastify()
    app.get('/', (_request, reply) => sendFile(reply, { name: text, type: 'text/csv', bytes: 1, parts: Readable.from([Buffer.from('x')]) }))
    const { headers, statusCode } = await app.inject('/')
    expect([statusCode, headers['content-disposition']]).toEqual([200, expect.stringMatching(/^attachment; filename="[\w.-]*"$/)])
    expect(Object.keys(headers)).not.toContain('bcc')
  })
})
