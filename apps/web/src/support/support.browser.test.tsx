import { closeTicket, createTicket, getTicket, replyToTicket, ticketImage, tickets } from '@tizara/contract/support'
import { refreshToken } from '@tizara/contract/auth'
import { profile } from '@tizara/contract/members'
import { readTicketNotices, unreadNotices } from '@tizara/contract/notices-unread'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { Bell } from '../app/frame/bell.tsx'
import { queryClient } from '../lib/http/query.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations, visibleCells, visibleHeaders } from '../test/list-check.tsx'
import { memberApi, testMember } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import CreateTicketScreen from './create-ticket.screen.tsx'
import SupportScreen from './support.screen.tsx'
import TicketScreen from './ticket.screen.tsx'

let api: FakeApi

const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (char) => char.charCodeAt(0),
)
const imageReply = () => new Response(PIXEL, { headers: { 'content-type': 'image/png' } })
const file = (bytes: number) => new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' })

/** An image of noise, which PNG cannot compress. */
async function noisyImage(): Promise<File> {
  const canvas = new OffscreenCanvas(1200, 800)
  const context = canvas.getContext('2d')
  const pixels = new ImageData(canvas.width, canvas.height)
  let seed = 1
  for (let i = 0; i < pixels.data.length; i += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    pixels.data[i] = i % 4 === 3 ? 255 : seed >>> 24
  }
  context?.putImageData(pixels, 0, 0)
  return new File([await canvas.convertToBlob({ type: 'image/png' })], 'screenshot.png', { type: 'image/png' })
}

beforeEach(() => {
  api = memberApi().on(ticketImage, imageReply)
})

const createdAt = new Date(2026, 2, 5, 14, 7).toISOString()
const ticket = { id: 't1', title: 'Not arrived', description: 'I sent 250 USDT', image: '/ticket-images/i1', status: 'OPEN', createdAt }
const thread = {
  ...ticket,
  updates: [
    { id: 'u1', message: 'We look at it', role: 'SUPPORT', createdAt },
    { id: 'u2', message: 'Thank you', image: '/ticket-images/i2', role: 'USER', createdAt },
  ],
}
const shown = (text: string) => page.getByLabelText('Notices').getByText(text, { exact: true })
const list = (rows: (typeof ticket)[]) => ({ data: rows, meta: { total: rows.length, page: 1, limit: 25 } })

it('[UI-TICKETS-01] [UI-TICKETS-02] [UI-TICKETS-03] [UI-TICKETS-04] [EN-52] lists the tickets', async () => {
  api.reply(tickets, list([ticket]))
  await mount(<SupportScreen />, '/support')
  await expect.element(page.getByRole('img', { name: 'Image of Not arrived' })).toBeVisible()
  expect(api.calls(ticketImage)[0]?.headers.get('authorization')).toBe('token')
  expect([...visibleHeaders(), 'Ticket']).toEqual(['Image', 'Title', 'Description', 'Date', 'Status', 'Ticket'])
  expect(visibleCells().slice(1, 5)).toEqual(['Not arrived', 'I sent 250 USDT', '05 Mar 2026', 'OPEN'])
  await expect.element(page.getByRole('link', { name: /^View/ })).toHaveAttribute('href', '/ticket/show/t1')
  await expect.element(page.getByRole('link', { name: 'Create Ticket' })).toHaveAttribute('href', '/create-ticket')
  expect(await axeViolations()).toEqual([])
})

it('[LS-06] [ER-67] offers another try when the tickets or a ticket did not load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  api.refuse(tickets, 400, 'Broken inside').refuse(getTicket, 400, 'Broken inside')
  const first = await mount(<SupportScreen />, '/support')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  api.reply(tickets, list([ticket]))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Not arrived')).toBeVisible()
  await first.unmount()
  await mount(<TicketScreen params={{ id: 't1' }} />)
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  expect(page.getByText('Broken inside').elements()).toHaveLength(0)
  api.reply(getTicket, thread)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('We look at it')).toBeVisible()
})

it('marks open tickets that support has answered', async () => {
  api.reply(tickets, list([{ ...ticket, answered: true } as typeof ticket, { ...ticket, id: 't2' }]))
  await mount(<SupportScreen />, '/support')
  await expect.element(page.getByText('Answered')).toBeVisible()
  expect(page.getByText('Answered').elements()).toHaveLength(1)
  expect(await axeViolations()).toEqual([])
})

it('[API-08] filters by the days of the address and exports the whole list as CSV', async () => {
  api.reply(tickets, list([ticket]))
  await mount(<SupportScreen />, '/support?from=2026-03-01&to=2026-03-31')
  await expect.element(page.getByText('Not arrived')).toBeVisible()
  expect(String(api.calls(tickets)[0]?.query)).toBe('page=1&limit=25&from=2026-03-01&to=2026-03-31')
  await expect.element(page.getByRole('img', { name: 'Image of Not arrived' })).toBeVisible()
  let written: Blob | undefined
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) written = blob
    return 'blob:none'
  })
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect.poll(() => written).toBeDefined()
  const text = (await written?.text()) ?? ''
  expect(text).toContain('Image,Title,Description,Date,Status,Ticket')
  expect(text).toContain('Not arrived,I sent 250 USDT')
})

it('[LS-02] [ER-66] says Data Not Found without tickets', async () => {
  api.reply(tickets, list([]))
  await mount(<SupportScreen />, '/support')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
})

it('[UI-TICKET-01] [UI-TICKET-02] [UI-TICKET-03] [UI-TICKET-09] [RO-13] shows the ticket and its messages, the member at the left, support at the right', async () => {
  api.reply(getTicket, thread)
  await mount(<TicketScreen params={{ id: 't1' }} />, '/ticket/show/t1')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Not arrived' })).toBeVisible()
  await expect.element(page.getByText('OPEN')).toBeVisible()
  const left = (text: string) => page.getByText(text, { exact: true }).element().closest('div')?.getBoundingClientRect().left ?? 0
  const right = (text: string) => page.getByText(text, { exact: true }).element().closest('div')?.getBoundingClientRect().right ?? 0
  expect(left('I sent 250 USDT')).toBe(left('Thank you'))
  expect(left('We look at it')).toBeGreaterThan(left('Thank you') + 50)
  expect(right('We look at it')).toBeGreaterThan(right('Thank you'))
  await expect.poll(() => page.getByRole('img', { name: 'Image sent by you' }).elements().length).toBe(2)
  expect(await axeViolations()).toEqual([])
})

it('loads an image with a renewed token when the first has expired', async () => {
  api.reply(getTicket, ticket).reply(refreshToken, { accessToken: 'newer' })
  api.on(ticketImage, ({ headers }) => (headers.get('authorization') === 'newer' ? imageReply() : new Response('{}', { status: 403 })))
  await mount(<TicketScreen params={{ id: 't1' }} />)
  await expect.element(page.getByRole('img', { name: 'Image sent by you' })).toBeVisible()
})

it('shows an error when an image does not load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  api.reply(getTicket, ticket).on(ticketImage, () => new Response('{}', { status: 404 }))
  await mount(<TicketScreen params={{ id: 't1' }} />)
  await expect.element(page.getByText('The image could not be loaded')).toBeInTheDocument()
})

it('[UI-TICKET-04] [UI-TICKET-08] [VA-82] [VA-83] [API-93] sends a reply, clears the form and reloads the ticket', async () => {
  api.reply(getTicket, thread).reply(replyToTicket, null)
  await mount(<TicketScreen params={{ id: 't1' }} />)
  const message = page.getByRole('textbox', { name: 'Message' })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(page.getByText('This field is required')).toBeVisible()
  expect(api.calls(replyToTicket)).toHaveLength(0)
  await message.fill('Here is the hash')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(message).toHaveValue('')
  expect(api.calls(replyToTicket).map(({ body }) => body)).toEqual([{ message: 'Here is the hash', ticketId: 't1' }])
  await expect.poll(() => api.calls(getTicket).length).toBeGreaterThan(1)
})

it('[UI-TICKET-08] shows why a reply was rejected and keeps its text', async () => {
  api.reply(getTicket, thread).refuse(replyToTicket, 400, 'This ticket is closed')
  await mount(<TicketScreen params={{ id: 't1' }} />)
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(shown('This ticket is closed')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello')
  api.drop(replyToTicket)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(shown('An error occurred')).toBeVisible()
})

it('[UI-TICKET-05] [ST-61] [ER-57] [API-91] closes the ticket', async () => {
  let status = 'OPEN'
  api.answer(getTicket, () => ({ ...thread, status })).answer(closeTicket, () => (status = 'CLOSED'))
  await mount(<TicketScreen params={{ id: 't1' }} />)
  await page.getByRole('button', { name: 'Mark it close' }).click()
  await expect.element(shown('Successfully closed')).toBeVisible()
  expect(api.calls(closeTicket).map(({ body }) => body)).toEqual([{ status: 'CLOSED' }])
  await expect.element(page.getByText('CLOSED')).toBeVisible()
})

it('[ER-58] shows `Somthing wrong` when the ticket could not be closed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  api.reply(getTicket, thread).refuse(closeTicket, 400, 'No')
  await mount(<TicketScreen params={{ id: 't1' }} />)
  await page.getByRole('button', { name: 'Mark it close' }).click()
  await expect.element(shown('Somthing wrong')).toBeVisible()
})

it('[UI-TICKET-06] [UI-TICKET-07] [ST-62] [ST-63] accepts no reply after it is closed', async () => {
  api.reply(getTicket, { ...thread, status: 'CLOSED' })
  await mount(<TicketScreen params={{ id: 't1' }} />)
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await expect.element(page.getByText('CLOSED')).toBeVisible()
  expect(page.getByRole('button', { name: 'Mark it close' }).elements()).toHaveLength(0)
})

const title = () => page.getByRole('textbox', { name: 'Ticket Title' })
const description = () => page.getByRole('textbox', { name: 'Description' })
const image = () => page.getByLabelText(/^Image/)
/** Chooses an image as a member does. `upload` copies the bytes through the test runner, which takes seconds for a large file. */
async function choose(chosen: File): Promise<void> {
  await expect.element(image()).toBeInTheDocument()
  const [input, files] = [image().element() as HTMLInputElement, new DataTransfer()]
  files.items.add(chosen)
  input.files = files.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
const create = () => page.getByRole('button', { name: 'Create Ticket' }).click()

it('[UI-NEWTICKET-01] [UI-NEWTICKET-02] [UI-NEWTICKET-03] [ER-56] [API-92] creates a ticket and opens the list', async () => {
  api.reply(createTicket, { id: 't9' }, 'Successfully ticket created')
  await mount(<CreateTicketScreen />, '/create-ticket')
  await title().fill('  Not arrived ')
  await description().fill('I sent 250 USDT')
  await choose(file(1_048_576))
  expect(await axeViolations()).toEqual([])
  await create()
  await expect.element(shown('Successfully ticket created')).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/support')
  expect(api.calls(createTicket)[0]?.body).toMatchObject({
    title: 'Not arrived',
    description: 'I sent 250 USDT',
    image: expect.any(File) as File,
  })
})

it('[VA-79] [VA-80] [VA-81] [VA-86] requires all three fields before a call', async () => {
  await mount(<CreateTicketScreen />, '/create-ticket')
  await create()
  await expect.poll(() => page.getByText('This field is required').elements()).toHaveLength(3)
  expect(api.calls(createTicket)).toHaveLength(0)
})

it('[VA-84] [ER-69] rejects a file above 1 MB immediately', async () => {
  await mount(<CreateTicketScreen />, '/create-ticket')
  await choose(file(1_048_577))
  await expect.element(page.getByText('File size should be less than 1 MB')).toBeVisible()
  await title().fill('T')
  await description().fill('D')
  await create()
  expect(api.calls(createTicket)).toHaveLength(0)
})

it('makes an image above 1 MB smaller before the limit applies, and sends it', async () => {
  api.reply(createTicket, { id: 't9' }, 'Successfully ticket created')
  await mount(<CreateTicketScreen />, '/create-ticket')
  const large = await noisyImage()
  expect(large.size).toBeGreaterThan(1_048_576)
  await title().fill('T')
  await description().fill('D')
  await choose(large)
  await expect.element(page.getByText('screenshot.jpg')).toBeVisible()
  expect(page.getByText('File size should be less than 1 MB').elements()).toHaveLength(0)
  await create()
  await expect.element(shown('Successfully ticket created')).toBeVisible()
  const { image: sent } = (api.calls(createTicket)[0]?.body ?? {}) as { image?: File }
  if (sent === undefined) throw new Error('no image was sent')
  expect(sent.size).toBeLessThanOrEqual(1_048_576)
  const { width, height } = await createImageBitmap(sent)
  expect(width / height).toBeCloseTo(1.5, 1)
})

it('[UI-NEWTICKET-04] [UI-NEWTICKET-05] labels its fields and accepts the server’s formats', async () => {
  await mount(<CreateTicketScreen />, '/create-ticket')
  await expect.element(description()).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create Ticket', exact: true })).toBeVisible()
  await expect.element(image()).toHaveAttribute('accept', 'image/jpeg,image/png,image/webp')
})

it('[VA-84] keeps the error of a rejected image, and sends no reply until the image is removed', async () => {
  api.reply(getTicket, thread).reply(replyToTicket, null)
  await mount(<TicketScreen params={{ id: 't1' }} />)
  await choose(file(1_048_577))
  const notice = page.getByText('File size should be less than 1 MB')
  await expect.element(notice).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill('Here is the image')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.element(notice).toBeVisible()
  expect(api.calls(replyToTicket)).toHaveLength(0)
  await page.getByRole('button', { name: 'Remove file' }).click()
  await expect.element(notice).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => api.calls(replyToTicket)).toHaveLength(1)
})

it('[ER-55] shows why a ticket was rejected, or `An error occurred`, and keeps the typed text', async () => {
  api.refuse(createTicket, 400, 'Please choose a JPEG, PNG or WebP image')
  await mount(<CreateTicketScreen />, '/create-ticket')
  await title().fill('T')
  await description().fill('D')
  await image().upload(file(10))
  await create()
  const box = page.getByRole('alertdialog')
  await expect.element(box.getByText('Please choose a JPEG, PNG or WebP image')).toBeVisible()
  await box.getByRole('button', { name: 'OK' }).click()
  api.drop(createTicket)
  await create()
  await expect.element(box.getByText('An error occurred')).toBeVisible()
  await expect.element(title()).toHaveValue('T')
})

it('shows the row of a reported problem and sends it along', async () => {
  api.reply(createTicket, null)
  await mount(
    <CreateTicketScreen />,
    '/create-ticket?title=Problem%3A+Reward+History&description=Receipt%3A+daily-reward+d1%0AAmount%3A+27.4',
  )
  await expect.element(title()).toHaveValue('Problem: Reward History')
  const row = page.getByRole('region', { name: 'Attached row' })
  await expect.element(row.getByText('daily-reward d1')).toBeVisible()
  await description().fill('It is too little')
  await image().upload(file(10))
  await create()
  await expect.poll(() => api.calls(createTicket)).toHaveLength(1)
  expect(api.calls(createTicket)[0]?.body).toMatchObject({
    description: 'It is too little\n\nReceipt: daily-reward d1\nAmount: 27.4',
  })
})

it('[API-90] shows the newest messages of a long thread first, and the earlier ones on demand', async () => {
  const messageOf = (id: string) => ({ id, message: `message ${id}`, role: 'USER', createdAt })
  api.answer(getTicket, ({ query }) =>
    query.get('before') === 'u3'
      ? { ...thread, updates: [messageOf('u1'), messageOf('u2')] }
      : { ...thread, updates: [messageOf('u3'), messageOf('u4')], hasEarlier: true },
  )
  await mount(<TicketScreen params={{ id: 't1' }} />, '/ticket/show/t1')
  await expect.element(page.getByText('message u4')).toBeVisible()
  expect(page.getByText('message u2').elements()).toEqual([])
  await page.getByRole('button', { name: 'Show earlier messages' }).click()
  await expect.element(page.getByText('message u1')).toBeVisible()
  const texts = [...document.querySelectorAll('ol li p')].map((line) => line.textContent).filter((text) => text.startsWith('message'))
  expect(texts).toEqual(['message u1', 'message u2', 'message u3', 'message u4'])
  expect(page.getByRole('button', { name: 'Show earlier messages' }).elements()).toEqual([])
  expect(await axeViolations()).toEqual([])
})

it('marks the notifications about the open ticket as read, also for an answer that arrives meanwhile', async () => {
  api
    .reply(profile, { ...testMember, secondFactor: false })
    .reply(getTicket, thread)
    .reply(readTicketNotices, null)
    .reply(unreadNotices, { count: 0 })
  await mount(
    <>
      <Bell />
      <TicketScreen params={{ id: 't1' }} />
    </>,
  )
  await expect.element(page.getByText('We look at it')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Inbox', exact: true })).toBeVisible()
  expect(api.calls(readTicketNotices)).toEqual([])
  api.reply(unreadNotices, { count: 1 })
  await queryClient.invalidateQueries({ queryKey: [unreadNotices.name] })
  await expect.poll(() => api.calls(readTicketNotices).map(({ params }) => params)).toEqual([{ id: 't1' }])
})
