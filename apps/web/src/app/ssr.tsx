import { StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import SignInScreen from '../auth/sign-in.screen.tsx'
import { App } from './app.tsx'
import PublicLayout from './public-layout.tsx'
import { keepPublicLayout, keepScreen } from './screens.tsx'

/** Draws the sign-in page as HTML, for the build. */
export async function renderSignIn(): Promise<string> {
  keepPublicLayout(PublicLayout)
  keepScreen('/', SignInScreen)
  const { prelude } = await prerender(
    <StrictMode>
      <App ssrPath="/" />
    </StrictMode>,
  )
  return await new Response(prelude).text()
}
