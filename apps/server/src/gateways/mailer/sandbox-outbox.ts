import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import PostalMime, { type Email } from 'postal-mime'
import type { Deps } from '../../platform/runtime/deps.ts'
import { outboxFolder } from './folder-mailer.ts'

const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const MAX_SHOWN = 100
const FILE_NAME = /^[A-Za-z0-9_-]{1,120}\.eml$/

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:52rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.5rem .75rem;border-bottom:1px solid #8886;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:1rem;border:1px solid #8886;border-radius:.5rem}
`

/**
 * Adds `/sandbox/outbox`: mails of the folder as plain pages without script. The routes exist only in sandbox mode without a mail
 * server.
 */
export async function addSandboxOutbox(app: FastifyInstance, deps: Pick<Deps, 'config'>): Promise<void> {
  if (!deps.config.sandbox || deps.config.smtpUrl !== undefined) return
  const folder = outboxFolder(deps.config)
  app.get('/sandbox/outbox.css', (_, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  app.get<{ Querystring: { to?: unknown } }>('/sandbox/outbox', async (request, reply) => {
    const to = typeof request.query.to === 'string' ? request.query.to.trim().toLowerCase() : ''
    const rows = await newestMails(folder, to)
    return page(reply, deps, 'Sandbox outbox', listOfMails(rows))
  })
  app.get<{ Params: { name: string } }>('/sandbox/outbox/:name', async (request, reply) => {
    const mail = FILE_NAME.test(request.params.name) ? await readMail(folder, request.params.name) : undefined
    if (mail === undefined) return page(reply.code(404), deps, 'Sandbox outbox', '<p>There is no such mail.</p>')
    return page(reply, deps, mail.subject ?? 'Mail', oneMail(mail))
  })
}

async function newestMails(folder: string, to: string): Promise<{ name: string; mail: Email }[]> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => FILE_NAME.test(name))
    .toSorted()
    .toReversed()
  const rows: { name: string; mail: Email }[] = []
  for (const name of names) {
    if (rows.length >= MAX_SHOWN) break
    const mail = await readMail(folder, name)
    if (mail !== undefined && (to === '' || recipientOf(mail) === to)) rows.push({ name, mail })
  }
  return rows
}

async function readMail(folder: string, name: string): Promise<Email | undefined> {
  const raw = await readFile(path.join(folder, name)).catch(() => undefined)
  return raw === undefined ? undefined : PostalMime.parse(raw)
}

const recipientOf = (mail: Email) => mail.to?.[0]?.address ?? ''

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function listOfMails(rows: { name: string; mail: Email }[]): string {
  if (rows.length === 0) return '<p>No mail has been sent yet.</p>'
  const cells = rows.map(
    ({ name, mail }) =>
      `<tr><td>${escape(mail.date ?? '')}</td><td>${escape(recipientOf(mail))}</td><td><a href="/sandbox/outbox/${name}">${escape(mail.subject ?? '')}</a></td></tr>`,
  )
  return `<table><thead><tr><th scope="col">Sent</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead><tbody>${cells.join('\n')}</tbody></table>`
}

function oneMail(mail: Email): string {
  const linked = escape(mail.text ?? '').replaceAll(/https?:\/\/[^\s<>"]+/g, (url) => `<a href="${url}">${url}</a>`)
  return `<p>To ${escape(recipientOf(mail))}, ${escape(mail.date ?? '')}</p><pre>${linked}</pre><p><a href="/sandbox/outbox">All mails</a></p>`
}

function page(reply: FastifyReply, deps: Pick<Deps, 'config'>, title: string, body: string) {
  return reply
    .header('Content-Security-Policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)} – ${escape(deps.config.brand.name)}</title><link rel="stylesheet" href="/sandbox/outbox.css"></head><body><main><h1>${escape(title)}</h1>${body}</main></body></html>`,
    )
}
