// The storage slots that were accessed, by account and key; each is loaded from the host once.
import { markDirty, SEEN, transaction } from './accounts';
import { BITS, clearIndex, headOf, INDEX_BYTES, isCrowded, resizeIndex, slotHash } from './hash';
import { HELD_SLOT, hold } from './held';
import { hostSlot } from './host';
import { noteSlot, noteWarmSlot } from './journal';
import {
  A_DIRTY_SLOTS, A_EPOCH, A_MARKS, A_SLOTS, L_ACCOUNT, L_DIRTY, L_EPOCH, L_HOST_VALUE, L_KEY, L_NEXT, L_NEXT_DIRTY,
  L_NEXT_OF_ACCOUNT, L_ORIGINAL, L_ORIGINAL_TX, L_VALUE, L_WARM_TX, MARK_HOST_STORAGE, MARK_WIPED, SLOT_BYTES,
} from './layout';
import { countOf, emptyPool, entryOf, openPool, POOL_BYTES, takeEntry } from './pool';
import { clear, copy, equal, isZero } from './word';

const SLOTS = memory.data(POOL_BYTES);
const INDEX = memory.data(INDEX_BYTES);

/** Forgets all slots. */
export function clearSlots(): void {
  openPool(SLOTS, SLOT_BYTES);
  emptyPool(SLOTS);
  clearIndex(INDEX);
}

/** Returns the entry of an account's slot; `key` is a word. */
@inline
export function slotOf(account: usize, key: usize): usize {
  let slot: usize = load<u32>(headOf(INDEX, slotHash(account, key)));
  while (slot) {
    if (equal(slot + L_KEY, key) && load<u32>(slot, L_ACCOUNT) == u32(account)) {
      if (load<u64>(slot, L_EPOCH) != load<u64>(account, A_EPOCH)) renew(slot, account);
      return slot;
    }
    slot = load<u32>(slot, L_NEXT);
  }
  return loadSlot(account, key);
}

function loadSlot(account: usize, key: usize): usize {
  const slot = takeEntry(SLOTS);
  copy(slot + L_KEY, key);
  store<u32>(slot, u32(account), L_ACCOUNT);
  store<u64>(slot, load<u64>(account, A_EPOCH), L_EPOCH);
  if ((load<u32>(account, A_MARKS) & (MARK_HOST_STORAGE | MARK_WIPED)) == MARK_HOST_STORAGE) {
    hostSlot(account, slot + L_KEY, slot + L_HOST_VALUE);
    copy(slot + L_VALUE, slot + L_HOST_VALUE);
  }
  store<u32>(slot, load<u32>(account, A_SLOTS), L_NEXT_OF_ACCOUNT);
  store<u32>(account, u32(slot), A_SLOTS);
  if (isCrowded(INDEX, countOf(SLOTS))) rehash();
  else link(slot);
  return slot;
}

@inline
function link(slot: usize): void {
  const head = headOf(INDEX, slotHash(load<u32>(slot, L_ACCOUNT), slot + L_KEY));
  store<u32>(slot, load<u32>(head), L_NEXT);
  store<u32>(head, u32(slot));
}

function rehash(): void {
  resizeIndex(INDEX, load<u32>(INDEX, BITS) + 2);
  for (let i: u32 = 0, n = countOf(SLOTS); i < n; i++) link(entryOf(SLOTS, i));
}

/** Clears the values if the account has lost all its storage since they were written. */
function renew(slot: usize, account: usize): void {
  clear(slot + L_VALUE);
  clear(slot + L_HOST_VALUE);
  store<u64>(slot, 0, L_ORIGINAL_TX);
  store<u64>(slot, load<u64>(account, A_EPOCH), L_EPOCH);
}

/** Returns the value at the start of the transaction, as a word. */
@inline
export function originalOf(slot: usize): usize {
  return slot + (load<u64>(slot, L_ORIGINAL_TX) == transaction ? L_ORIGINAL : L_VALUE);
}

@inline
export function isWarmSlot(slot: usize): bool {
  return load<u64>(slot, L_WARM_TX) == transaction;
}

/** Counts the slot, once in a transaction, for an opcode. */
@inline
export function seeSlot(slot: usize): void {
  if ((load<u64>(slot, L_WARM_TX) & ~SEEN) == transaction) return;
  store<u64>(slot, transaction | SEEN, L_WARM_TX);
  hold(HELD_SLOT);
}

export function warmSlot(slot: usize): void {
  if (isWarmSlot(slot)) return;
  noteWarmSlot(slot);
  store<u64>(slot, transaction, L_WARM_TX);
}

export function writeSlot(slot: usize, value: usize): void {
  if (load<u64>(slot, L_ORIGINAL_TX) != transaction) {
    store<u64>(slot, transaction, L_ORIGINAL_TX);
    copy(slot + L_ORIGINAL, slot + L_VALUE);
  }
  noteSlot(slot);
  copy(slot + L_VALUE, value);
  if (!load<u32>(slot, L_DIRTY)) {
    const account = usize(load<u32>(slot, L_ACCOUNT));
    markDirty(account);
    store<u32>(slot, 1, L_DIRTY);
    store<u32>(slot, load<u32>(account, A_DIRTY_SLOTS), L_NEXT_DIRTY);
    store<u32>(account, u32(slot), A_DIRTY_SLOTS);
  }
}

/**
 * Whether the account has storage: EIP-7610 forbids a creation there. The overlay cannot have cleared a host's storage
 * of an account without code, so the host's answer is enough for slots that were never accessed.
 */
export function hasStorage(account: usize): bool {
  if ((load<u32>(account, A_MARKS) & (MARK_HOST_STORAGE | MARK_WIPED)) == MARK_HOST_STORAGE) return true;
  let slot: usize = load<u32>(account, A_SLOTS);
  while (slot) {
    if (load<u64>(slot, L_EPOCH) == load<u64>(account, A_EPOCH) && !isZero(slot + L_VALUE)) return true;
    slot = load<u32>(slot, L_NEXT_OF_ACCOUNT);
  }
  return false;
}

/**
 * Returns the first slot from `slot` on, in the account's list of changed ones, whose value differs from the host's; 0
 * if there is none.
 */
export function differingSlot(account: usize, slot: usize): usize {
  while (slot) {
    // Slots of an earlier epoch were removed with all the others.
    const current = load<u64>(slot, L_EPOCH) == load<u64>(account, A_EPOCH);
    if (current && !equal(slot + L_VALUE, slot + L_HOST_VALUE)) return slot;
    slot = load<u32>(slot, L_NEXT_DIRTY);
  }
  return 0;
}

/** Marks the account's changed slots as equal to the host's. */
export function settleSlots(account: usize): void {
  let slot: usize = load<u32>(account, A_DIRTY_SLOTS);
  while (slot) {
    if (load<u64>(slot, L_EPOCH) != load<u64>(account, A_EPOCH)) renew(slot, account);
    copy(slot + L_HOST_VALUE, slot + L_VALUE);
    store<u32>(slot, 0, L_DIRTY);
    slot = load<u32>(slot, L_NEXT_DIRTY);
  }
  store<u32>(account, 0, A_DIRTY_SLOTS);
}
