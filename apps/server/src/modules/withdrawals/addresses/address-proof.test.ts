import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { ONE } from '@tizara/money'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { addr, eip191Signer } from 'micro-eth-signer'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, fund, TEST_PASSWORD } from '../../../../test/members.ts'
import { onFileEnd } from '../../../../test/on-file-end.ts'
import { encryptedMails } from '../../../gateways/mailer/index.ts'
import { decrypt } from '../../../platform/crypto/encrypt.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { anvilProgram, startAnvil } from '../../../sandbox/chain/anvil.ts'
import { connectDevNode, type DevNode } from '../../../sandbox/chain/dev-node.ts'
import { runAudit } from '../../../ledger/index.ts'
import { applySettings } from '../../settings/index.ts'
import { auditChecks } from '../audit-checks.ts'
import { auditAddresses } from './address-mac.ts'
import { sendPayoutNotifications } from '../notify-member.ts'
import { linkToken } from '../confirmation/payout-token.ts'
import { withdrawalRoutes } from '../index.ts'
import { findWithdrawalReceipt } from '../withdrawals.receipts.ts'

const CHAIN_ID = 31_337
const MINUTE = 60_000

/** Contract that accepts the hash in its first storage slot, as a Safe does for an approved message. */
const HASH_WALLET = '0x60043560005414600f5760006000fd5b631626ba7e60e01b60005260206000f3'
/** Contract that accepts every signature. */
const OPEN_WALLET = '0x631626ba7e60e01b60005260206000f3'
/** Contract that reverts. */
const SHUT_WALLET = '0x60006000fd'

let at: TestApp
let node: DevNode
/** Behavior of the second source: it forwards, changes an answer to acceptance, or does not answer. */
let second: 'forwards' | 'accepts' | 'hangs' | 'fails' = 'forwards'
let proxy: Server

beforeAll(async () => {
  const program = anvilProgram()
  if (program === undefined) throw new Error('anvil is missing')
  const chain = await startAnvil(program, { chainId: CHAIN_ID, home: tmpdir(), at: new Date() })
  onFileEnd(() => chain.stop('SIGKILL'))
  node = connectDevNode(chain.url)
  proxy = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (second === 'hangs') return
      if (second === 'fails') return void reply.writeHead(500).end('no')
      void forward(chain.url, Buffer.concat(chunks).toString(), second).then((answer) => reply.end(answer))
    })
  })
  onFileEnd(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { db } = await testDatabase(12)
  at = await testApp(db, {
    routes: withdrawalRoutes,
    env: {
      PUBLIC_URL: 'https://members.example.org',
      CHAIN_ID: String(CHAIN_ID),
      CHAIN_RPC_URL: chain.url,
      CHAIN_SECOND_RPC_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      CHAIN_TOKEN: `0x${'11'.repeat(20)}`,
      CHAIN_XPUB: XPUB,
    },
  })
})

/** Extended public key of a test seed. No address of it is used here. */
const XPUB = 'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8'

async function forward(url: string, body: string, how: 'forwards' | 'accepts'): Promise<string> {
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answers = (await reply.json()) as { id: number; result?: unknown; error?: unknown }[]
  if (how === 'accepts')
    for (const answer of answers) if (answer.id === 2) Object.assign(answer, { result: `0x1626ba7e${'0'.repeat(56)}`, error: undefined })
  return JSON.stringify(answers)
}

type Owner = { id: bigint; token: string }
async function member(): Promise<Owner> {
  const { id } = await createTestMember(at.db)
  return { id, token: (await at.signIn(id)).token }
}
const post = (who: Owner, path: string, body?: object) => at.call('POST', path, { token: who.token, body })
/** Saves and confirms an address. */
const save = async (who: Owner, address: string, network = 0): Promise<string> =>
  (await post(who, '/withdrawals/addresses', { address, network, label: 'mine', password: TEST_PASSWORD })).body.data.id
const challenge = (who: Owner, id: string) => post(who, `/withdrawals/addresses/${id}/challenge`)
const messageFor = async (who: Owner, id: string): Promise<string> => (await challenge(who, id)).body.data.message
const prove = (who: Owner, id: string, signature: string) => post(who, `/withdrawals/addresses/${id}/prove`, { signature })
const provenBy = async (who: Owner): Promise<(string | undefined)[]> =>
  (await at.call('GET', '/withdrawals/guard', { token: who.token })).body.data.addresses.map(
    (entry: { provenBy?: string }) => entry.provenBy,
  )

const FORGED = 'Integrity check failed: this address was modified outside the application'
const EXPIRED = 'The message to sign has expired, please start again'
const REFUSED = 'The signature does not prove this address. Please sign with the account of this address'
const UNKNOWN = 'The chain could not confirm the signature, please try again later'

/** Member with a saved address of their own key. */
async function keyHolder() {
  const who = await member()
  const { privateKey, address } = addr.random()
  return { who, privateKey, address, id: await save(who, address) }
}

describe('proof by a key', () => {
  it('is a signature over a message of EIP-4361 with domain, chain and address, once', async () => {
    const { who, privateKey, address, id } = await keyHolder()
    const message = await messageFor(who, id)
    const issued = at.clock.now()
    expect(message.split('\n')).toEqual([
      'members.example.org wants you to sign in with your Ethereum account:',
      address,
      '',
      'Prove that this payout address is yours. This sends no money.',
      '',
      'URI: https://members.example.org',
      'Version: 1',
      `Chain ID: ${CHAIN_ID}`,
      expect.stringMatching(/^Nonce: [0-9a-f]{32}$/),
      `Issued At: ${issued.toISOString()}`,
      `Expiration Time: ${new Date(issued.getTime() + 5 * MINUTE).toISOString()}`,
      `Request ID: ${id}`,
    ])
    const signature = eip191Signer.sign(message, privateKey)
    expect(await provenBy(who)).toEqual([undefined])
    expect((await prove(who, id, signature)).body).toMatchObject({ statusCode: 200, message: 'The address is proven' })
    expect(await provenBy(who)).toEqual(['key'])
    expect((await prove(who, id, signature)).body.message).toBe(EXPIRED)
  })

  it('counts once when the same signature comes five times at once', async () => {
    const { who, privateKey, id } = await keyHolder()
    const signature = eip191Signer.sign(await messageFor(who, id), privateKey)
    const replies = await Promise.all(Array.from({ length: 5 }, () => prove(who, id, signature)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    const noted = await at.db
      .selectFrom('audit_event')
      .select('id')
      .where('action', '=', 'payout.address-prove')
      .where('subject_id', '=', id)
      .execute()
    expect(noted).toHaveLength(1)
  })

  it('is rejected from five minutes on, and after a newer challenge', async () => {
    const { who, privateKey, id } = await keyHolder()
    const old = eip191Signer.sign(await messageFor(who, id), privateKey)
    const signature = eip191Signer.sign(await messageFor(who, id), privateKey)
    expect((await prove(who, id, old)).body.message).toBe(REFUSED)
    at.clock.advance(5 * MINUTE)
    expect((await prove(who, id, signature)).body.message).toBe(EXPIRED)
    expect(await provenBy(who)).toEqual([undefined])
  })

  it('is rejected for another domain, chain, address or account', async () => {
    const { who, privateKey, id } = await keyHolder()
    const message = await messageFor(who, id)
    const other = addr.random()
    for (const signature of [
      eip191Signer.sign(message.replace('members.example.org wants', 'evil.example wants'), privateKey),
      eip191Signer.sign(message.replace(`Chain ID: ${CHAIN_ID}`, 'Chain ID: 1'), privateKey),
      eip191Signer.sign(message.replace(/0x\w{40}/, other.address), other.privateKey),
      eip191Signer.sign(message, other.privateKey),
    ])
      expect((await prove(who, id, signature)).body.message).toBe(REFUSED)
    expect(await provenBy(who)).toEqual([undefined])
  })

  it('is rejected with a high s, another v, or another length', async () => {
    const { who, privateKey, id } = await keyHolder()
    const signature = eip191Signer.sign(await messageFor(who, id), privateKey)
    const [r, s, v] = [signature.slice(2, 66), BigInt(`0x${signature.slice(66, 130)}`), signature.slice(130)]
    const high = (secp256k1.Point.Fn.ORDER - s).toString(16).padStart(64, '0')
    for (const bad of [
      `0x${r}${high}${v === '1b' ? '1c' : '1b'}`,
      `${signature.slice(0, 130)}1d`,
      `${signature.slice(0, 130)}00`,
      `${signature}00`,
      '0x00',
    ])
      expect((await prove(who, id, bad)).body.message).toBe(REFUSED)
    for (const bad of ['', '0x', '0x1', signature.slice(2), `0x${'00'.repeat(4097)}`]) expect((await prove(who, id, bad)).status).toBe(400)
    expect((await prove(who, id, signature)).status).toBe(200)
  })

  it("is not found on another member's address, and needs that member's own nonce", async () => {
    const { who, privateKey, address, id } = await keyHolder()
    const thief = await member()
    const signature = eip191Signer.sign(await messageFor(who, id), privateKey)
    expect((await challenge(thief, id)).status).toBe(404)
    expect((await prove(thief, id, signature)).status).toBe(404)
    const theirs = await save(thief, address)
    expect((await prove(thief, theirs, signature)).body.message).toBe(EXPIRED)
    await challenge(thief, theirs)
    expect((await prove(thief, theirs, signature)).body.message).toBe(REFUSED)
    // The same wallet may be proven by two members, as a family has one. Staff see them as linked accounts.
    expect((await prove(who, id, signature)).status).toBe(200)
    expect((await prove(thief, theirs, eip191Signer.sign(await messageFor(thief, theirs), privateKey))).status).toBe(200)
  })

  it('ends with the address, and with a stop of payouts', async () => {
    const { who, privateKey, address, id } = await keyHolder()
    await prove(who, id, eip191Signer.sign(await messageFor(who, id), privateKey))
    const pending = eip191Signer.sign(await messageFor(who, id), privateKey)
    const other = await save(who, addr.random().address)
    expect((await at.call('POST', '/withdrawals/link/stop', { token: linkToken(at.deps, { about: 'address', id: other }) })).status).toBe(
      200,
    )
    const again = { ...who, token: (await at.signIn(who.id)).token }
    expect(await provenBy(again)).toEqual([undefined])
    expect((await prove(again, id, pending)).body.message).toBe(EXPIRED)
    const late = eip191Signer.sign(await messageFor(again, id), privateKey)
    expect((await prove(again, id, late)).body.message).toContain('stopped')
    await at.call('DELETE', `/withdrawals/addresses/${id}`, { token: again.token })
    expect((await challenge(again, id)).status).toBe(404)
    expect((await prove(again, id, late)).status).toBe(404)
    expect(address).toBeDefined()
  })

  it('names Ethereum for an ERC(20) address, and does not exist for TRC(20)', async () => {
    const who = await member()
    const { privateKey, address } = addr.random()
    const erc = await save(who, address, 1)
    const message = await messageFor(who, erc)
    expect(message).toContain('\nChain ID: 1\n')
    expect((await prove(who, erc, eip191Signer.sign(message, privateKey))).status).toBe(200)
    const tron = await save(who, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 2)
    expect((await challenge(who, tron)).body.message).toBe('Only BEP(20) and ERC(20) addresses can be proven')
    expect((await prove(who, tron, '0x00')).body.message).toBe(EXPIRED)
  })
})

describe('proof by a contract (EIP-1271)', () => {
  /** Member with a saved address of a contract. */
  async function contractHolder(code: string, network = 0) {
    const who = await member()
    const { address } = addr.random()
    await node.call('anvil_setCode', address, code)
    const id = await save(who, address, network)
    const message = await messageFor(who, id)
    return { who, address, id, message }
  }
  const approve = (address: string, message: string) =>
    node.call('anvil_setStorageAt', address, `0x${'0'.repeat(64)}`, eip191Signer.getHash(message))

  it('counts when the contract accepts this message at every source', async () => {
    second = 'forwards'
    const { who, address, id, message } = await contractHolder(HASH_WALLET)
    expect((await prove(who, id, '0x00')).body.message).toBe(REFUSED)
    await approve(address, message)
    expect((await prove(who, id, '0x00')).status).toBe(200)
    expect(await provenBy(who)).toEqual(['contract'])
  })

  it('is rejected when the contract reverts, accepts every signature, or is on another chain', async () => {
    second = 'forwards'
    const shut = await contractHolder(SHUT_WALLET)
    expect((await prove(shut.who, shut.id, '0x00')).body.message).toBe(REFUSED)
    const open = await contractHolder(OPEN_WALLET)
    expect((await prove(open.who, open.id, '0x00')).body.message).toBe(
      'The contract at this address accepts every signature, so this proves nothing',
    )
    const elsewhere = await contractHolder(HASH_WALLET, 1)
    await approve(elsewhere.address, elsewhere.message)
    expect((await prove(elsewhere.who, elsewhere.id, '0x00')).body.message).toBe(REFUSED)
  })

  it.each(['accepts', 'hangs', 'fails'] as const)('proves nothing while one source %s, and leaves the challenge open', async (how) => {
    const { who, address, id, message } = await contractHolder(HASH_WALLET)
    if (how !== 'accepts') await approve(address, message)
    second = how
    const reply = await prove(who, id, '0x00')
    expect([reply.status, reply.body.message]).toEqual([503, UNKNOWN])
    second = 'forwards'
    expect(await provenBy(who)).toEqual([undefined])
    await approve(address, message)
    expect((await prove(who, id, '0x00')).status).toBe(200)
  })

  it('asks no node when the key of the account signed', async () => {
    second = 'hangs'
    const { who, privateKey, id } = await keyHolder()
    expect((await prove(who, id, eip191Signer.sign(await messageFor(who, id), privateKey))).status).toBe(200)
    second = 'forwards'
  })
})

describe('settings of proven addresses', () => {
  const limits = (changes: Parameters<typeof applySettings>[2]['changes']) =>
    inTransaction(at.db, (tx) => applySettings(tx, at.deps, { changes, actorId: null, reason: 'test' }))
  const withdraw = (who: Owner, amount: number, address: string) =>
    post(who, '/deposit-wallet/transfer-deposit-wallet', { amount, address })
  const proveOwn = async ({ who, privateKey, id }: Awaited<ReturnType<typeof keyHolder>>) =>
    expect((await prove(who, id, eip191Signer.sign(await messageFor(who, id), privateKey))).status).toBe(200)
  const usableFrom = async (who: Owner): Promise<string> =>
    (await at.call('GET', '/withdrawals/guard', { token: who.token })).body.data.addresses[0].usableFrom
  const inHours = (hours: number) => new Date(at.clock.now().getTime() + hours * 60 * MINUTE).toISOString()

  it('leave the delay of a proven address as it is by default', async () => {
    const holder = await keyHolder()
    await proveOwn(holder)
    expect(await usableFrom(holder.who)).toBe(inHours(24))
  })

  it('waive the delay of a confirmed address, whichever came first, and never the confirmation', async () => {
    await limits({ provenDelayHours: 2 })
    const confirmed = await keyHolder()
    await proveOwn(confirmed)
    expect(await usableFrom(confirmed.who)).toBe(inHours(2))
    const who = await member()
    const { privateKey, address } = addr.random()
    const { id } = (await post(who, '/withdrawals/addresses', { address, label: 'mine' })).body.data
    await proveOwn({ who, privateKey, address, id })
    expect(await usableFrom(who)).toBeNull()
    await post(who, `/withdrawals/addresses/${id}/confirm`, { password: TEST_PASSWORD })
    expect(await usableFrom(who)).toBe(inHours(2))
    await limits({ provenDelayHours: 720 })
  })

  it('require a proof above the sum of 24 hours, also when the payout is split or comes in one batch', async () => {
    await limits({ proofAboveUsd: 100n * ONE })
    const [holder, splitter] = [await keyHolder(), await member()]
    for (const { id } of [holder.who, splitter]) await fund(at.db, id, 'depositWallet', 1000n * ONE)
    const needed = 'Above 100 within 24 hours, payouts go only to an address that you have proven in your address book'
    expect((await withdraw(holder.who, 100.01, holder.address)).body.message).toBe(needed)
    expect((await withdraw(holder.who, 2000, holder.address)).body.message).toBe('Insufficient balance')
    const replies = await Promise.all(Array.from({ length: 4 }, () => withdraw(splitter, 40, holder.address)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.message))).toEqual(new Set([needed]))
    await proveOwn(holder)
    expect((await withdraw(holder.who, 100.01, holder.address.toLowerCase())).status).toBe(200)
    // The proof of one member does not count for another, and a removed address has none.
    expect((await withdraw(splitter, 40, holder.address)).body.message).toBe(needed)
    await at.call('DELETE', `/withdrawals/addresses/${holder.id}`, { token: holder.who.token })
    expect((await withdraw(holder.who, 10, holder.address)).body.message).toBe(needed)
    await limits({ proofAboveUsd: 1_000_000_000n * ONE })
  })

  it('[I7] count no proof that SQL wrote, changed, copied or restored, which the audit reports', async () => {
    await limits({ proofAboveUsd: 100n * ONE, provenDelayHours: 2 })
    const [holder, other] = [await keyHolder(), await keyHolder()]
    for (const { who } of [holder, other]) await fund(at.db, who.id, 'depositWallet', 1000n * ONE)
    const row = (id: string) => at.db.selectFrom('payout_address').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
    const damage = async () => {
      const logged = auditChecks.filter(({ title }) => title.startsWith('each address of a book'))
      const found = [await auditAddresses(at.db, at.deps.config), ...(await runAudit(at.db, logged))]
      return [holder, other].map(({ id }) => id).filter((id) => found.some(({ examples }) => examples.join(' ').includes(id)))
    }
    await proveOwn(other)
    expect(await damage()).toEqual([])
    const { proven_at, proven_by, confirmed_at, usable_from, entry_mac } = await row(other.id)
    const unproven = { ...(await row(holder.id)), id: undefined }
    const set = (id: string, to: object) => at.db.updateTable('payout_address').set(to).where('public_id', '=', id).execute()
    for (const forged of [
      { proven_at: at.clock.now(), proven_by: 'key' },
      { proven_at, proven_by, entry_mac: Buffer.from('none') },
      { proven_at, proven_by, confirmed_at, usable_from, entry_mac },
    ]) {
      await set(holder.id, forged)
      expect(await provenBy(holder.who)).toEqual([undefined])
      expect((await withdraw(holder.who, 101, holder.address)).body.message).toBe(FORGED)
      expect(await damage()).toEqual([holder.id])
    }
    // A proof moved to another address, to another time, or to another kind.
    await set(holder.id, unproven)
    const proven = await row(other.id)
    for (const change of [
      { address: holder.address, address_key: holder.address.toLowerCase() },
      { proven_by: 'contract' },
      { member_id: holder.who.id, label: 'x' },
    ]) {
      await set(other.id, change)
      expect(await damage()).toEqual([other.id])
      await set(other.id, { ...proven, id: undefined })
    }
    expect((await withdraw(other.who, 101, other.address)).status).toBe(200)
    // The stop removes the proof. Writing the earlier one again does not bring it back unseen.
    const { id } = (await withdraw(other.who, 10, other.address)).body.data.receipt
    expect((await at.call('POST', '/withdrawals/link/stop', { token: linkToken(at.deps, { about: 'payout', id }) })).status).toBe(200)
    expect(await damage()).toEqual([])
    const stopped = await row(other.id)
    await set(other.id, { ...proven, id: undefined })
    expect(await damage()).toEqual([other.id])
    await set(other.id, { ...stopped, id: undefined })
    // The owner does not confirm an address with a forged proof, and can remove it.
    const who = await member()
    const { address } = addr.random()
    const waiting = (await post(who, '/withdrawals/addresses', { address, label: 'mine' })).body.data.id
    await set(waiting, { proven_at: at.clock.now(), proven_by: 'key', entry_mac: Buffer.from('none') })
    expect((await post(who, `/withdrawals/addresses/${waiting}/confirm`, { password: TEST_PASSWORD })).body.message).toBe(FORGED)
    expect((await at.call('DELETE', `/withdrawals/addresses/${waiting}`, { token: who.token })).status).toBe(200)
    await limits({ proofAboveUsd: 1_000_000_000n * ONE, provenDelayHours: 720 })
  })

  it('do not concern bridges when only USD has a limit', async () => {
    await limits({ proofAboveUsd: 0n })
    const who = await member()
    await fund(at.db, who.id, 'icoWallet', 1000n * ONE)
    await fund(at.db, who.id, 'depositWallet', 1000n * ONE)
    const { address } = addr.random()
    expect((await post(who, '/withdrow-request', { amount: 500, to: address })).status).toBe(200)
    expect((await withdraw(who, 11, address)).status).toBe(400)
    await limits({ proofAboveUsd: 1_000_000_000n * ONE })
  })

  it('show the proof on the receipt and in the mail of a payout', async () => {
    const holder = await keyHolder()
    await fund(at.db, holder.who.id, 'depositWallet', 1000n * ONE)
    await proveOwn(holder)
    const { receipt } = (await withdraw(holder.who, 50, holder.address)).body.data
    const found = await findWithdrawalReceipt(at.db, holder.who.id, receipt.id)
    expect(found?.lines).toContainEqual({ label: 'Address', value: 'Proven by its key' })
    await inTransaction(at.db, (tx) => sendPayoutNotifications(tx, at.deps))
    const { email } = await at.db.selectFrom('member').select('email').where('id', '=', holder.who.id).executeTakeFirstOrThrow()
    const mails = await at.db.selectFrom('mail_outbox').select('encrypted').where('recipient', '=', email).execute()
    const texts = mails.map(({ encrypted }) => decrypt(at.deps.config, encryptedMails.purpose, encrypted ?? Buffer.alloc(0), email) ?? '')
    expect(texts.some((text) => text.includes('Proven in your address book'))).toBe(true)
  })
})
