import type { Route } from '@tizara/contract'
import type { Group } from './groups.ts'
import { openApiPath, type Operation, operationOf } from './openapi.ts'
import { routeErrorsOf } from './route-errors.ts'
import { shapeOf } from './shape.ts'

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
const code = (text: string) => `<pre><code>${escape(text)}</code></pre>`
const json = (value: unknown) => JSON.stringify(value, null, 2)

const ACCESS: Readonly<Record<Route['access'], string>> = {
  public: 'anyone',
  link: 'the holder of a mailed link, with its token in `Authorization`',
  session: 'a signed-in member, verified or not',
  member: 'a verified member',
  staff: 'staff whose role has the right',
}

function notes(route: Route): string {
  const found = [
    `For ${ACCESS[route.access]}.`,
    ...(route.money === true
      ? ['Moves money: with an Idempotency-Key it takes effect at most once, and a repeat gets the first response.']
      : []),
    ...(route.quoted === true ? ['`Quoted-Amount` is the displayed figure; the server rejects another one.'] : []),
    ...(route.limited === true ? ['At most 10 calls in 15 minutes, per address and per account.'] : []),
    ...(route.upload === undefined
      ? []
      : [`Multipart, with the image in \`${route.upload.field}\`: at most ${route.upload.maxBytes} bytes.`]),
  ]
  return `<p>${found.map(escape).join(' ')}</p>`
}

/** Renders the form that sends a call, with one field per parameter and one for the body. */
function tryIt(route: Route, { parameters, requestBody }: Operation): string {
  const inUrl = parameters.filter((one) => one.in !== 'header')
  const field = (name: string, kind: string) =>
    `<label>${escape(name)} <input name="${escape(name)}" data-in="${kind}" autocomplete="off"></label>`
  const body = Object.values(requestBody?.content ?? {})[0]?.example
  const parts = [
    ...inUrl.map((one) => field(one.name, one.in)),
    ...(body === undefined
      ? []
      : [`<label>Body <textarea name="body" rows="${json(body).split('\n').length}">${escape(json(body))}</textarea></label>`]),
    ...(route.upload === undefined
      ? []
      : [`<label>${escape(route.upload.field)} <input type="file" name="file" data-field="${escape(route.upload.field)}"></label>`]),
  ]
  const money = route.money === true ? ' data-money="yes"' : ''
  return `<form data-method="${route.method}" data-path="${escape(openApiPath(route))}"${money}>${parts.join('')}<button>Send</button><output></output></form>`
}

function callOf(route: Route): string {
  const operation = operationOf(route, {})
  const { parameters, requestBody, responses } = operation
  const [body] = Object.values(requestBody?.content ?? {})
  const [reply] = Object.values(responses['200']?.content ?? {})
  const rows = routeErrorsOf(route).map(
    ({ code: errorCode, status, message, when }) =>
      `<tr><td>${status}</td><td><code>${errorCode}</code></td><td>${escape(message)}</td><td>${escape(when ?? '')}</td></tr>`,
  )
  const parameterLines = parameters.map((one) => `${one.name}${one.required ? '' : '?'} (${one.in}): ${shapeOf(one.schema)}`)
  return `<details id="${route.name}"><summary><b class="${route.method}">${route.method}</b> <code>${escape(openApiPath(route))}</code> <span>${escape(route.summary)}</span></summary>
${notes(route)}
${parameterLines.length === 0 && body === undefined ? '' : `<h4>Request</h4>${code([...parameterLines, ...(body === undefined ? [] : [shapeOf(body.schema)])].join('\n'))}`}
<h4>Reply</h4>${code(shapeOf(reply?.schema ?? {}))}
<h4>Example</h4>${code([...(body === undefined ? [] : [json(body.example)]), json(reply?.example)].join('\n\n'))}
<h4>Errors</h4><table><thead><tr><th>Status</th><th>Code</th><th>Message</th><th>Cause</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<h4>Try it</h4>${tryIt(route, operation)}</details>`
}

/**
 * Renders the API page: calls in groups, each with request, response, example, errors and a form.
 * @param demo a demo account to fill in, if one exists
 */
export function apiPage(groups: readonly Group[], title: string, demo: { email: string; password: string } | undefined): string {
  const heading = escape(`${title} API`)
  const anchor = (name: string) => name.toLowerCase().replace(/\W+/g, '-')
  const links = groups.map((group) => `<a href="#${anchor(group.title)}">${escape(group.title)}</a>`)
  const sections = groups.map(
    (group) =>
      `<section id="${anchor(group.title)}"><h2>${escape(group.title)}</h2><p>${escape(group.text)}</p>${group.routes.map(callOf).join('')}</section>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${heading}</title><link rel="stylesheet" href="/api/docs.css"><script src="/api/docs.js" defer></script></head><body><nav aria-label="Groups">${links.join('')}</nav><main><h1>${heading}</h1>
<p>${groups.reduce((sum, group) => sum + group.routes.length, 0)} calls, in the order of a member's day. Amounts are exact decimals with up to 8 places, moments are ISO 8601. A refusal has its code in the header <code>Error-Code</code>. Machine-readable version: <a href="/api/openapi.json">openapi.json</a>.</p>
<form id="session"><label>Email <input type="email" name="email" autocomplete="username" value="${escape(demo?.email ?? '')}"></label><label>Password <input type="password" name="password" autocomplete="current-password" value="${escape(demo?.password ?? '')}"></label><button>Sign in to try the calls</button><output></output></form>
${sections.join('')}</main></body></html>`
}
