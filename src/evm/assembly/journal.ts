// Undo entries. A snapshot is a length of the journal. An entry is the earlier value, then its kind and its owner, so
// that the journal can be read from the end. It lies in chunks that never move; no entry is in two of them, and what an entry did
// not fit into at the end of a chunk counts as length.
import { SEEN, transaction } from './accounts';
import { reserve } from './heap';
import { hold } from './held';
import {
  A_BALANCE, A_CODE, A_CODE_HASH, A_FLAGS, A_NONCE, A_WARM_TX, C_LOADED, L_VALUE, L_WARM_TX, RULE_SHARED_CHANGES,
} from './layout';
import { truncateLogs } from './logs';
import { has } from './schedule';
import { copy } from './word';

export const UNDO_FLAGS: u32 = 0;
export const UNDO_BALANCE: u32 = 1;
export const UNDO_NONCE: u32 = 2;
export const UNDO_CODE: u32 = 3;
export const UNDO_SLOT: u32 = 4;
export const UNDO_WARM_ACCOUNT: u32 = 5;
export const UNDO_WARM_SLOT: u32 = 6;
export const UNDO_TRANSIENT: u32 = 7;
export const UNDO_REFUND: u32 = 8;
export const UNDO_LOG: u32 = 9;
/** Added to the kind of an entry that was undone out of turn, and stays as a gap. */
const UNDONE: u32 = 10;
/** Bytes of the earlier value, by kind. */
const BEFORE = memory.data<u8>([8, 32, 8, 40, 32, 0, 0, 32, 8, 8, 8, 32, 8, 40, 32, 0, 0, 32, 8, 8]);

const TRAILER: usize = 8;
const MOST: usize = 48;

const CHUNK_BITS: u32 = 20;
const IN_CHUNK: usize = (1 << CHUNK_BITS) - 1;
/** Of each chunk the address, and how many of its bytes are entries once the next one is in use. */
const CHUNKS = memory.data(4096 * 8);

/** Address of the last chunk in use, less the length before it: the entry at a length of the journal is at their sum. */
let at: usize = 0;
/** Length up to which the last chunk in use reaches. */
let room: usize = 0;
let length: usize = 0;
/** Where frames share their changes: those before this length are final for every frame of the transaction. */
let committed: usize = 0;

export let refund: i64 = 0;

@inline
export function journalLength(): usize {
  return length;
}

/** Reserves one entry; returns its address. */
@inline
function open(): usize {
  // Never filled to its last byte: a length that is a multiple of the chunk's is the start of the next one.
  if (length + MOST >= room) grow();
  return at + length;
}

function grow(): void {
  const chunk = room >> CHUNK_BITS;
  if (chunk) store<u32>(CHUNKS + (chunk << 3) - 8, u32(length & IN_CHUNK), 4);
  length = room;
  use(chunk);
}

/** Makes a chunk the last one in use. */
function use(chunk: usize): void {
  const entry = CHUNKS + (chunk << 3);
  if (!load<u32>(entry)) store<u32>(entry, u32(reserve(1 << CHUNK_BITS)));
  at = startOf(chunk);
  room = (chunk + 1) << CHUNK_BITS;
}

/** As `at`, of any chunk. */
@inline
function startOf(chunk: usize): usize {
  return usize(load<u32>(CHUNKS + (chunk << 3))) - (chunk << CHUNK_BITS);
}

/** Returns the length without the gap at the end of the chunk before, where a chunk begins there. */
@inline
function withoutGap(end: usize): usize {
  return end & IN_CHUNK || !end ? end : end - IN_CHUNK - 1 + load<u32>(CHUNKS + ((end >> CHUNK_BITS) << 3) - 8, 4);
}

/** Goes back to the end of an earlier chunk if nothing is left in the last one. */
@inline
function leaveEmptyChunk(): void {
  if (length & IN_CHUNK || !length) return;
  length = withoutGap(length);
  use(length >> CHUNK_BITS);
}

@inline
function close(before: usize, kind: u32, owner: usize): void {
  const end = at + length + before;
  store<u32>(end, kind);
  store<u32>(end, u32(owner), 4);
  length += before + TRAILER;
  hold(before + TRAILER);
}

@inline
export function noteFlags(account: usize): void {
  store<u32>(open(), load<u32>(account, A_FLAGS));
  close(8, UNDO_FLAGS, account);
}

@inline
export function noteBalance(account: usize): void {
  copy(open(), account + A_BALANCE);
  close(32, UNDO_BALANCE, account);
}

@inline
export function noteNonce(account: usize): void {
  store<u64>(open(), load<u64>(account, A_NONCE));
  close(8, UNDO_NONCE, account);
}

@inline
export function noteCode(account: usize): void {
  const entry = open();
  copy(entry, account + A_CODE_HASH);
  // Code from the host may be dropped before this is undone.
  const code = usize(load<u32>(account, A_CODE));
  store<u32>(entry, code && load<u32>(code, C_LOADED) ? 0 : u32(code), 32);
  close(40, UNDO_CODE, account);
}

@inline
export function noteSlot(slot: usize): void {
  copy(open(), slot + L_VALUE);
  close(32, UNDO_SLOT, slot);
}

@inline
export function noteWarmAccount(account: usize): void {
  open();
  close(0, UNDO_WARM_ACCOUNT, account);
}

@inline
export function noteWarmSlot(slot: usize): void {
  open();
  close(0, UNDO_WARM_SLOT, slot);
}

@inline
export function noteTransient(value: usize): void {
  copy(open(), value);
  close(32, UNDO_TRANSIENT, value);
}

@inline
export function noteLog(bytesBefore: usize): void {
  store<u32>(open(), u32(bytesBefore));
  close(8, UNDO_LOG, 0);
}

export function addRefund(amount: i64): void {
  store<i64>(open(), refund);
  close(8, UNDO_REFUND, 0);
  refund += amount;
}

/** Undoes everything since the journal had this length. */
export function revertTo(snapshot: usize): void {
  for (leaveEmptyChunk(); length > snapshot; leaveEmptyChunk()) {
    const end = at + length - TRAILER;
    const kind = load<u32>(end);
    const owner = usize(load<u32>(end, 4));
    const before = end - load<u8>(BEFORE + kind);
    length = before - at;
    undo(kind, owner, before);
  }
  if (committed > length) committed = length;
}

@inline
function undo(kind: u32, owner: usize, before: usize): void {
  switch (kind) {
    case UNDO_FLAGS: store<u32>(owner, load<u32>(before), A_FLAGS); break;
    case UNDO_BALANCE: copy(owner + A_BALANCE, before); break;
    case UNDO_NONCE: store<u64>(owner, load<u64>(before), A_NONCE); break;
    case UNDO_CODE:
      copy(owner + A_CODE_HASH, before);
      store<u32>(owner, load<u32>(before, 32), A_CODE);
      break;
    case UNDO_SLOT: copy(owner + L_VALUE, before); break;
    case UNDO_WARM_ACCOUNT: store<u64>(owner, transaction | SEEN, A_WARM_TX); break;
    case UNDO_WARM_SLOT: store<u64>(owner, transaction | SEEN, L_WARM_TX); break;
    case UNDO_TRANSIENT: copy(owner, before); break;
    case UNDO_REFUND: refund = load<i64>(before); break;
    case UNDO_LOG: truncateLogs(load<u32>(before)); break;
  }
}

/** A frame that began at `snapshot` failed: undoes its changes or, where frames share them, all that are pending. */
export function dropFrame(snapshot: usize): void {
  if (has(RULE_SHARED_CHANGES)) dropPending(snapshot);
  else revertTo(snapshot);
}

/** A frame has completed. */
@inline
export function keepFrame(): void {
  if (has(RULE_SHARED_CHANGES)) committed = length;
}

/** Undoes the changes of state that are pending, no matter who made them; warmth, logs and the like only since `snapshot`. */
function dropPending(snapshot: usize): void {
  const floor = min(snapshot, committed);
  let end = length;
  for (;;) {
    end = withoutGap(end);
    if (end <= floor) break;
    const start = startOf((end - 1) >> CHUNK_BITS);
    const trailer = start + end - TRAILER;
    const kind = load<u32>(trailer);
    const before = trailer - load<u8>(BEFORE + kind);
    end = before - start;
    if (kind >= UNDONE || end < (kind <= UNDO_SLOT ? committed : snapshot)) continue;
    undo(kind, usize(load<u32>(trailer, 4)), before);
    store<u32>(trailer, kind + UNDONE);
  }
  committed = length;
}

/** Removes the last entry without undoing it; returns its account if it holds an account's flags, else 0. */
export function takeFlagged(): usize {
  const end = at + length - TRAILER;
  const kind = load<u32>(end);
  length = end - load<u8>(BEFORE + kind) - at;
  const flagged = kind == UNDO_FLAGS ? usize(load<u32>(end, 4)) : 0;
  leaveEmptyChunk();
  return flagged;
}

/** Drops all entries: their changes can no longer be undone. */
export function forgetJournal(): void {
  if (room) use(0);
  length = 0;
  committed = 0;
  refund = 0;
}

