// The forms of the API page. What is typed and answered is shown as text only; the token is kept in memory.
let token = ''

async function send(method, path, { body, headers = {} } = {}) {
  const own = token === '' ? {} : { Authorization: token }
  const response = await fetch(path, { method, headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  try {
    return { status: response.status, reply: JSON.parse(text) }
  } catch {
    return { status: response.status, reply: text.slice(0, 2000) }
  }
}

function upload(fields, input) {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, String(value))
  if (input.files[0] !== undefined) form.append(input.dataset.field, input.files[0])
  return { body: form }
}

function callOf(form) {
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const input of form.querySelectorAll('[data-in]')) {
    if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value))
    else if (input.value !== '') query.set(input.name, input.value)
  }
  const headers = form.dataset.money === 'yes' ? { 'Idempotency-Key': crypto.randomUUID() } : {}
  const text = form.elements.namedItem('body')?.value
  const file = form.querySelector('input[type=file]')
  const sent =
    file === null
      ? { body: text, headers: text === undefined ? headers : { ...headers, 'Content-Type': 'application/json' } }
      : upload(JSON.parse(text ?? '{}'), file)
  return [form.dataset.method, query.size === 0 ? path : `${path}?${query.toString()}`, sent]
}

async function answer(form, output) {
  output.textContent = '…'
  if (form.id === 'session') {
    token = ''
    const body = JSON.stringify({ email: form.email.value, password: form.password.value })
    const { status, reply } = await send('POST', '/api/v1/auth/login', { body, headers: { 'Content-Type': 'application/json' } })
    token = reply.data?.token ?? ''
    output.textContent = `${status} ${reply.message}`
  } else {
    const { status, reply } = await send(...callOf(form))
    output.textContent = `${status}\n${typeof reply === 'string' ? reply : JSON.stringify(reply, null, 2)}`
  }
}

document.addEventListener('submit', (event) => {
  event.preventDefault()
  const output = event.target.querySelector('output')
  answer(event.target, output).catch((error) => {
    output.textContent = String(error)
  })
})
