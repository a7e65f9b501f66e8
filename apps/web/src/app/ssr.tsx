import { StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import { App } from './app.tsx'

/**
 * Draws a place as HTML, for the build.
 * @param path the place
 */
export async function renderPage(path: string): Promise<string> {
  const { prelude } = await prerender(
    <StrictMode>
      <App ssrPath={path} />
    </StrictMode>,
  )
  return await new Response(prelude).text()
}
