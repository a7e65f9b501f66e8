import SignInScreen from '../auth/sign-in.screen.tsx'
import PublicLayout from './public-layout.tsx'
import { keepPublicLayout, keepScreen } from './screens.tsx'
import { start } from './start.tsx'

// The page that comes drawn (index.html): its screen is part of the first load.
keepPublicLayout(PublicLayout)
keepScreen('/', SignInScreen)
keepScreen('/auth/signin', SignInScreen)
start()
