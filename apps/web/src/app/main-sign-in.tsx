import SignInScreen from '../auth/sign-in.screen.tsx'
import PublicLayout from './public-layout.tsx'
import { createScreens } from './screens.tsx'
import { start } from './start.tsx'

// The page that comes drawn (index.html): its screen is part of the first load.
start(createScreens({ layout: PublicLayout, signIn: SignInScreen }))
