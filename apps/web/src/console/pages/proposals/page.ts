import GitPullRequestArrow from 'lucide-react/icons/git-pull-request-arrow'
import type { ConsolePage } from '../../shell/console-page.ts'

export const page: ConsolePage = {
  name: 'changes',
  title: 'Proposals',
  icon: GitPullRequestArrow,
  key: 'c',
  right: 'staffChanges',
  menu: { section: 'Work', position: 4, onPhone: true },
  load: () => import('./proposals.view.tsx'),
}
