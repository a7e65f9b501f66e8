import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { onFileEnd } from '../../../test/on-file-end.ts'
import { webhookReceiver } from '../../../test/webhook-receiver.ts'
import { openReceiver } from './open-receiver.ts'
import { checkedLookup, isAllowedAddress, receiverError } from './receiver-address.ts'

const LOCAL = { mode: 'test' as const, webhookNetworks: ['127.0.0.1/32'] }
const PUBLIC = { mode: 'production' as const, webhookNetworks: [] }
const receiver = await webhookReceiver()
const post = (url = receiver.url, rules: Parameters<typeof openReceiver>[0] = LOCAL, timeoutMs?: number) => {
  const to = openReceiver(rules, url, timeoutMs)
  return to.post({}, '{}').finally(() => to.close())
}

describe('receiver address', () => {
  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::1',
  ])('refuses %s', (address) => {
    expect(isAllowedAddress(PUBLIC, address)).toBe(false)
    expect(receiverError(PUBLIC, `https://${address.includes(':') ? `[${address}]` : address}/x`)).toBe('This address is not public')
  })

  it('allows public addresses, and private ones in WEBHOOK_NETWORKS only', () => {
    expect(['8.8.8.8', '2606:4700::1111'].map((address) => isAllowedAddress(PUBLIC, address))).toEqual([true, true])
    const inside = { ...PUBLIC, webhookNetworks: ['10.1.0.0/16'] }
    expect(['10.1.2.3', '10.2.0.1', '::ffff:10.1.2.3'].map((address) => isAllowedAddress(inside, address))).toEqual([true, false, true])
  })

  it.each([
    ['http://example.com/x', 'Enter a URL that begins with https://'],
    ['ftp://example.com/x', 'Enter a URL that begins with https://'],
    ['https://user:secret@example.com/x', 'Enter a URL without a user name, password or #'],
    ['https://example.com/#x', 'Enter a URL without a user name, password or #'],
    ['https://2130706433/', 'This address is not public'],
    ['https://0x7f.1/', 'This address is not public'],
    ['https://127.1/', 'This address is not public'],
    ['example.com', 'Enter a URL'],
    ['https://example.com/x?token=1', undefined],
  ])('answers %s with %s', (url, message) => {
    expect(receiverError(PUBLIC, url)).toBe(message)
  })

  it('asks for the addresses of a name once, whatever the name answers later, and refuses a name with any private one', async () => {
    const publicOne = { address: '8.8.8.8', family: 4 }
    const answers = [[publicOne], [publicOne, { address: '10.0.0.1', family: 4 }], [publicOne, { address: '::ffff:a00:1', family: 6 }], []]
    let asked = 0
    const lookups = answers.map(() => checkedLookup(PUBLIC, (_, found) => setImmediate(() => found(null, answers[asked++] ?? []))))
    const find = (lookup: (typeof lookups)[number] | undefined) =>
      new Promise((resolve) => lookup?.('rebinding.example', { all: true }, (error, addresses) => resolve(error?.message ?? addresses)))
    const [first, ...others] = lookups
    expect(await Promise.all([find(first), find(first)])).toEqual([[publicOne], [publicOne]])
    expect(await find(first)).toEqual([publicOne])
    expect(asked).toBe(1)
    for (const [index, lookup] of others.entries())
      expect(await find(lookup)).toBe(['ADDRESS_NOT_PUBLIC', 'ADDRESS_NOT_PUBLIC', 'NO_ADDRESS'][index])
    expect(await new Promise((resolve) => first?.('rebinding.example', {}, (...answer) => resolve(answer)))).toEqual([null, '8.8.8.8', 4])
  })

  it('opens no connection to a name of the local machine', async () => {
    const { port } = new URL(receiver.url)
    expect(await post(`http://localhost:${port}/`, { mode: 'test', webhookNetworks: [] })).toMatchObject({
      status: null,
      error: 'ADDRESS_NOT_PUBLIC',
    })
    expect(receiver.received).toEqual([])
  })
})

describe('receiver', () => {
  it('follows no redirect', async () => {
    const other = await webhookReceiver()
    receiver.answer = (response) => void response.writeHead(307, { location: other.url }).end()
    expect(await post()).toMatchObject({ status: 307, error: null })
    expect(other.received).toEqual([])
  })

  it('closes the connection after 64 kB of an endless response, and stores the first 1,024 bytes', async () => {
    const closed = Promise.withResolvers<number>()
    receiver.answer = (response) => {
      let sent = 0
      response.writeHead(200)
      response.on('close', () => closed.resolve(sent))
      const write = () => {
        while (!response.closed && response.write('x'.repeat(16_384))) sent += 16_384
      }
      response.on('drain', write)
      write()
    }
    const { status, text } = await post()
    expect([status, text]).toEqual([200, 'x'.repeat(1024)])
    expect(await closed.promise).toBeLessThan(16 * 2 ** 20)
  })

  it('takes the status of a response whose body never ends, and gives up without a status', async () => {
    receiver.answer = (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    }
    expect(await post(receiver.url, LOCAL, 300)).toMatchObject({ status: 200, text: expect.stringMatching(/^x+$/) })
    receiver.answer = () => undefined
    expect(await post(receiver.url, LOCAL, 300)).toMatchObject({ status: null, error: 'TIMEOUT' })
  })

  it('stores text that the database accepts, whatever bytes arrive', async () => {
    receiver.answer = (response) => void response.writeHead(500).end(Buffer.from([0x61, 0, 0xff, 0xc3]))
    expect((await post()).text).toBe('a\u{FFFD}\u{FFFD}\u{FFFD}')
  })

  it('records a fault of the connection and of TLS', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'webhook-'))
    onFileEnd(() => rmSync(folder, { recursive: true }))
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=x', '-days', '1', '-keyout', key, '-out', cert],
      {
        stdio: 'ignore',
      },
    )
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    await new Promise((resolve) => server.close(resolve))
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: 'ECONNREFUSED' })
  })
})
