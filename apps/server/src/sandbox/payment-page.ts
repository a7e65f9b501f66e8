import { formatFixed } from '@tizara/money'
import type { SandboxInvoice } from './provider-book.ts'

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Style of the page in a separate file, so that the page needs no inline code. */
export const PAGE_STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;min-height:100vh;place-items:center;background:Canvas;color:CanvasText}
main{width:min(26rem,calc(100vw - 2rem));border:1px solid color-mix(in srgb,CanvasText 20%,transparent);border-radius:12px;padding:1.5rem;box-sizing:border-box}
h1{font-size:1.125rem;margin:0}.sum{font-size:2rem;font-weight:600;margin:.5rem 0;font-variant-numeric:tabular-nums}
p{margin:.5rem 0}small{opacity:.8;overflow-wrap:anywhere}form{display:grid;gap:.5rem;margin-top:1rem}
button{font:inherit;min-height:44px;border-radius:8px;border:1px solid color-mix(in srgb,CanvasText 35%,transparent);background:transparent;color:inherit;cursor:pointer}
button.main{background:#00695f;border-color:#00695f;color:#fff;font-weight:600}
button:focus-visible{outline:3px solid #3aa99e;outline-offset:2px}
`

const frame = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><link rel="stylesheet" href="/style.css"></head><body><main>${body}</main></body></html>`

/**
 * Renders an invoice's payment page, open or finished.
 * @param paid sum over its payments, in units
 */
export function paymentPage(invoice: SandboxInvoice, paid: bigint): string {
  const head = `<h1>Sandbox payment</h1><p>Play money only. Nothing here is worth anything.</p><p class="sum">${formatFixed(invoice.price)} USDT</p><p><small>Order ${escape(invoice.orderId)}</small></p>`
  if (invoice.cancelled) return frame('Payment cancelled', `${head}<p role="status">This payment was cancelled.</p>`)
  if (paid >= invoice.price) {
    return frame(
      'Payment received',
      `${head}<p role="status">Paid: ${formatFixed(paid)} USDT.</p><p><a href="${escape(invoice.successUrl)}">Back to the shop</a></p>`,
    )
  }
  const received = paid > 0n ? `<p role="status">Received so far: ${formatFixed(paid)} USDT.</p>` : ''
  const choice = (outcome: string, label: string, main = false) =>
    `<button type="submit" name="outcome" value="${outcome}"${main ? ' class="main"' : ''}>${label}</button>`
  const buttons = [
    choice('exact', `Pay ${formatFixed(invoice.price)} USDT`, true),
    choice('half', `Pay half: ${formatFixed(invoice.price / 2n)} USDT`),
    choice('double', `Pay double: ${formatFixed(invoice.price * 2n)} USDT`),
    choice('cancel', 'Cancel'),
  ]
  return frame('Sandbox payment', `${head}${received}<form method="post" action="/pay/${escape(invoice.id)}">${buttons.join('')}</form>`)
}

export function plainPage(sentence: string): string {
  return frame('Sandbox payment', `<h1>Sandbox payment</h1><p>${escape(sentence)}</p>`)
}
