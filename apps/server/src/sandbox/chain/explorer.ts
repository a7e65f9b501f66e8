import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { connectDevNode, type DevNode } from './dev-node.ts'
import { isDevChain } from './running-chain.ts'

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const HASH = /^0x[0-9a-f]{64}$/i
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

interface Receipt {
  status: string
  blockNumber: string
  from: string
  gasUsed: string
  logs: { address: string; topics: string[]; data: string }[]
}

/**
 * Adds `/sandbox/chain/tx/HASH`, an explorer page for transactions of the development chain. Without that chain the route does not exist.
 */
export function addPlayExplorer(app: FastifyInstance, config: Config): void {
  const { chain, payouts } = config
  if (!isDevChain(config) || chain === undefined || payouts === undefined) return
  const node = connectDevNode(chain.rpcUrl)
  const names = new Map([
    [payouts.coin.token, config.tokenSymbol],
    [payouts.usd.token, 'USDT'],
  ])
  app.get<{ Params: { hash: string } }>('/sandbox/chain/tx/:hash', async (request, reply) => {
    const { hash } = request.params
    const rows = HASH.test(hash) ? await rowsOf(node, names, hash).catch(() => undefined) : undefined
    const body = rows === undefined ? UNKNOWN : tableOf([['Transaction', hash], ...rows])
    return reply
      .code(rows === undefined ? 404 : 200)
      .headers({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Transaction – ${escape(config.brandName)}</title><link rel="stylesheet" href="/sandbox/chain.css"></head><body><main><h1>Play chain</h1>${body}</main></body></html>`,
      )
  })
  app.get('/sandbox/chain.css', (_, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
}

const UNKNOWN = '<p>The dev chain has no such transaction. The demo history of earlier days is older than this chain.</p>'
const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:52rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.25rem}
dt{opacity:.8;margin-top:.75rem}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
`

/** Formats a receipt as label and text; undefined while the transaction is unmined. */
async function rowsOf(node: DevNode, names: ReadonlyMap<string, string>, hash: string): Promise<[string, string][] | undefined> {
  const receipt = await node.call<Receipt | null>('eth_getTransactionReceipt', hash)
  if (receipt === null) return undefined
  const head = Number(await node.call<string>('eth_blockNumber'))
  const { timestamp } = await node.call<{ timestamp: string }>('eth_getBlockByNumber', receipt.blockNumber, false)
  const transfers = receipt.logs.filter(({ topics }) => topics[0] === TRANSFER && topics.length === 3)
  return [
    ['Outcome', receipt.status === '0x1' ? 'succeeded' : 'failed'],
    ['Block', `${Number(receipt.blockNumber)}, ${new Date(Number(timestamp) * 1000).toISOString()}`],
    ['Confirmations', String(head - Number(receipt.blockNumber) + 1)],
    ['Sent by', receipt.from],
    ['Gas', String(Number(receipt.gasUsed))],
    ...transfers.map(({ address, topics, data }): [string, string] => [
      `Transfer of ${names.get(address.toLowerCase()) ?? address}`,
      `${plain(BigInt(data))} from ${addressIn(topics[1])} to ${addressIn(topics[2])}`,
    ]),
  ]
}

const addressIn = (topic = '') => `0x${topic.slice(-40)}`
const DECIMALS = 18
const plain = (exact: bigint) => {
  const digits = exact.toString().padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '')
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const tableOf = (rows: readonly [string, string][]) =>
  `<dl>${rows.map(([label, text]) => `<dt>${escape(label)}</dt><dd>${escape(text)}</dd>`).join('')}</dl>`
