// The start and end of transactions.
import {
  accountOf, clearAccounts, clearDirty, dirtyAccount, dirtyCount, exists, forgetRipemd, isEmpty, nextTransaction,
  removeAccount, ripemdTouched, settleAccount,
} from './accounts';
import { setUpCodes, trimCodes } from './codes';
import { forgetJournal, journalLength, takeFlagged } from './journal';
import { A_FLAGS, ACCOUNT_DESTROYED, ACCOUNT_EXISTS, ACCOUNT_TOUCHED } from './layout';
import { truncateLogs } from './logs';
import { clearSlots, settleSlots } from './slots';
import { clearTransient } from './transient';
import { set } from './word';

const RIPEMD = memory.data(32, 16);

/** Drops all cached accounts and slots, but not code. */
export function resetWorld(): void {
  setUpCodes();
  clearAccounts();
  clearSlots();
  forgetJournal();
  forgetRipemd();
  truncateLogs(0);
  clearTransient();
  nextTransaction();
  trimCodes();
}

/** Drops the journal, which commits its changes, and clears the accounts' flags of the transaction. */
export function keepChanges(): void {
  while (journalLength()) {
    const account = takeFlagged();
    if (account) store<u32>(account, load<u32>(account, A_FLAGS) & ACCOUNT_EXISTS, A_FLAGS);
  }
  forgetJournal();
  forgetRipemd();
}

export function beginTransaction(): void {
  keepChanges();
  truncateLogs(0);
  clearTransient();
  nextTransaction();
  trimCodes();
}

/** Removes destroyed accounts and, if the fork says so, empty ones that were touched. */
export function endTransaction(clearsEmpty: bool): void {
  while (journalLength()) {
    const account = takeFlagged();
    if (!account) continue;
    const flags = load<u32>(account, A_FLAGS);
    const goes = flags & ACCOUNT_DESTROYED || (clearsEmpty && flags & ACCOUNT_TOUCHED && isEmpty(account));
    if (goes) removeAccount(account);
    else store<u32>(account, flags & ACCOUNT_EXISTS, A_FLAGS);
  }
  if (clearsEmpty && ripemdTouched) {
    set(RIPEMD, 3);
    const account = accountOf(RIPEMD);
    if (exists(account) && isEmpty(account)) removeAccount(account);
  }
  keepChanges();
}

/** Marks all changes as taken over by the host. */
export function settle(): void {
  keepChanges();
  for (let i: u32 = 0; i < dirtyCount; i++) {
    const account = dirtyAccount(i);
    settleSlots(account);
    settleAccount(account);
  }
  clearDirty();
}
