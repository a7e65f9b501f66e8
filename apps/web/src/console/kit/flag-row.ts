/** The classes of a flag: its mark, what it says, a link at the right, and below it the details. */
export const FLAG_ROW =
  'grid grid-cols-[18px_minmax(0,1fr)_auto] gap-x-2 border-t py-[7px] first:border-t-0 [&>*]:col-start-2 [&>a]:col-start-3 [&>a]:row-start-1 [&>svg]:col-start-1 [&>svg]:row-start-1 [&>svg]:mt-0.5'
