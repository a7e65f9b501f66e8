import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { onFileEnd } from '../../../test/on-file-end.ts'
import { contractVerdict } from './contract-signature.ts'
import { NodeUnavailable } from './rpc.ts'

/** Answers of the node: chain, code, the contract's answer to the message, and to another message. */
let answers: readonly object[] = []
const server = createServer((request, reply) => {
  request.resume()
  request.on('end', () => reply.end(JSON.stringify(answers.map((answer, id) => ({ jsonrpc: '2.0', id, ...answer })))))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
onFileEnd(() => {
  server.closeAllConnections()
  server.close()
})
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const verdict = () =>
  contractVerdict([url], { chainId: 56, address: `0x${'ab'.repeat(20)}`, hash: `0x${'cd'.repeat(32)}`, signature: '0x00' })

const result = (text: string) => ({ result: text })
const error = (code: number | undefined, message: string) => ({ error: { code, message } })
const CHAIN = result('0x38')
const CODE = result('0x6001')
const ACCEPTED = result(`0x1626ba7e${'0'.repeat(56)}`)
const REJECTED = result(`0xffffffff${'0'.repeat(56)}`)
const REVERTED = error(3, 'execution reverted')
const LIMITED = error(-32_005, 'limit exceeded')

it.each([
  ['accepted', 'it rejects another message', [CHAIN, CODE, ACCEPTED, REJECTED]],
  ['accepted', 'it reverts for another message', [CHAIN, CODE, ACCEPTED, REVERTED]],
  ['accepted', 'it answers another message with nothing', [CHAIN, CODE, ACCEPTED, result('0x')]],
  ['accepted', 'a node names a revert by text only', [CHAIN, CODE, ACCEPTED, error(-32_000, 'VM Exception: revert')]],
  ['accepted', 'it uses all gas for another message', [CHAIN, CODE, ACCEPTED, error(-32_000, 'out of gas')]],
  ['accepts-everything', 'it accepts another message', [CHAIN, CODE, ACCEPTED, ACCEPTED]],
  ['rejected', 'it reverts', [CHAIN, CODE, REVERTED, REVERTED]],
  ['rejected', 'it has no code', [CHAIN, result('0x'), ACCEPTED, REJECTED]],
  ['rejected', 'it answers with more bytes', [CHAIN, CODE, result(`${ACCEPTED.result}00`), REJECTED]],
  ['rejected', 'it answers with four bytes only', [CHAIN, CODE, result('0x1626ba7e'), REJECTED]],
  ['rejected', 'it answers with the bytes at the end', [CHAIN, CODE, result(`0x${'1626ba7e'.padStart(64, '0')}`), REJECTED]],
])('the verdict about a contract is %s when %s', async (expected, _, given) => {
  answers = given
  expect(await verdict()).toBe(expected)
})

it.each([
  ['refuses the check of another message', [CHAIN, CODE, ACCEPTED, LIMITED]],
  ['refuses the check of the message', [CHAIN, CODE, LIMITED, REJECTED]],
  ['has not the block', [CHAIN, CODE, ACCEPTED, error(-32_000, 'header not found')]],
  ['names no code', [CHAIN, CODE, ACCEPTED, error(undefined, 'busy')]],
  ['returns no hex', [CHAIN, CODE, ACCEPTED, result('yes')]],
  ['omits an answer', [CHAIN, CODE, ACCEPTED]],
  ['belongs to another chain', [result('0x1'), CODE, ACCEPTED, REJECTED]],
])('there is no verdict about a contract when the node %s', async (_, given) => {
  answers = given
  await expect(verdict()).rejects.toThrow(NodeUnavailable)
})
