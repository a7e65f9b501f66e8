import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onFileEnd } from './on-file-end.ts'

/** A webhook as a receiver got it. */
export interface ReceivedWebhook {
  id: string
  headers: IncomingHttpHeaders
  body: string
}

/** Local receiver of a test. It answers 204 until `answer` is replaced. */
export interface WebhookReceiver {
  url: string
  received: ReceivedWebhook[]
  /** Ids in the order of arrival. */
  ids(): string[]
  answer: (response: ServerResponse, webhook: ReceivedWebhook) => void
}

/** Starts a receiver on a free port of the loopback interface. It ends with the test file. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const receiver: WebhookReceiver = {
    url: '',
    received: [],
    ids: () => receiver.received.map(({ id }) => id),
    answer: (response) => void response.writeHead(204).end(),
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const webhook = { id: String(request.headers['webhook-id']), headers: request.headers, body }
      receiver.received.push(webhook)
      receiver.answer(response, webhook)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFileEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return receiver
}
