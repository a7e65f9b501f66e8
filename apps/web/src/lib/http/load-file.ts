import { apiAddress } from './http.ts'
import { refreshSession } from './session-calls.ts'
import { readToken } from './session.ts'

const ask = (address: string, token: string | null, signal?: AbortSignal): Promise<Response> =>
  fetch(address, {
    credentials: 'include',
    ...(signal === undefined ? {} : { signal }),
    headers: token === null ? {} : { Authorization: token },
  })

/**
 * Fetches an API image or file with the session token, refreshing an expired token once.
 * @param address full URL or path below the API base
 * @throws Error if it does not exist
 */
export async function loadFile(address: string, signal?: AbortSignal): Promise<Blob> {
  const token = readToken()
  let response = await ask(address, token, signal)
  if (response.status === 403) {
    const renewed = await refreshSession(token)
    if (renewed !== null) response = await ask(address, renewed, signal)
  }
  if (!response.ok) throw new Error(`It could not be loaded: ${response.status}`)
  return await response.blob()
}

/** Saves a file as a download. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Downloads an API file by its path below the API base. */
export const downloadFile = async (path: string, name: string): Promise<void> => saveFile(name, await loadFile(apiAddress(path)))
