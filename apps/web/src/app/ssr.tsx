import { StrictMode } from 'react'
import { prerender } from 'react-dom/static.edge'
import SignInScreen from '../auth/sign-in.screen.tsx'
import { drawnWith } from '../settings/app-config.ts'
import { App } from './app.tsx'
import { FrameSpinner } from './page-spinner.tsx'
import PublicLayout from './frame/public-layout.tsx'
import { createScreens } from './screens.tsx'

/** Prerenders the member pages' frame in the build. */
export async function renderFrame(): Promise<string> {
  const { prelude } = await prerender(<FrameSpinner />)
  return await new Response(prelude).text()
}

/** Prerenders the sign-in page in the build. */
export async function renderSignIn(brandName: string): Promise<string> {
  drawnWith({ brandName })
  const { prelude } = await prerender(
    <StrictMode>
      <App ssrPath="/" screens={createScreens({ layout: PublicLayout, signIn: SignInScreen })} />
    </StrictMode>,
  )
  return await new Response(prelude).text()
}
