#!/bin/sh
# Makes the roles of the service in PostgreSQL, with the least rights each, and the tables: as docs/scale.md has it. Names and passwords
# are those of the addresses in ops/secrets: `ledger` (sellers), and where they are there `identities` (collectors) and
# `identities-recorder`. Repeated, it changes nothing but passwords that differ. It stops at the first error and ends with its code.
#
#   ops/database-roles.sh psql "$OWNER_URL"
#   ops/database-roles.sh docker compose -f ops/cluster.yml exec -T postgres psql -U owner perpmeter
#
# SECRETS names another folder, PERPMETER another program than bin/perpmeter.
set -eu

here=$(dirname -- "$(readlink -f -- "$0")")
SECRETS=${SECRETS:-$here/secrets}
PERPMETER=${PERPMETER:-$here/../bin/perpmeter}

fail() {
  printf 'database-roles: %s\n' "$1" >&2
  exit 2
}

[ "$#" -gt 0 ] || fail 'how psql is called as the owner of the database: database-roles.sh psql "$OWNER_URL"'
[ -f "$SECRETS/ledger" ] || fail "$SECRETS/ledger is missing: postgres://seller:<password>@<host>:5432/<database>"

# The name and the password of an address, two words; both are put between quotes as they are.
account() {
  words=$(sed -n -E 's|^postgres(ql)?://([a-z_][a-z0-9_]*):([A-Za-z0-9._~-]+)@.*|\2 \3|p' "$SECRETS/$1")
  [ -n "$words" ] || fail "$SECRETS/$1: postgres://name:password@host, a name of small letters, digits and _, a password of letters, digits and ._~-"
  printf '%s\n' "$words"
}

role() {
  printf "SELECT 'CREATE ROLE \"%s\"' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%s') \\\\gexec\n" "$1" "$1"
  printf "ALTER ROLE \"%s\" LOGIN PASSWORD '%s';\n" "$1" "$2"
}

roles=
set_of_roles=
for part in ledger:--role identities:--collector identities-recorder:--recorder; do
  file=${part%%:*}
  [ -f "$SECRETS/$file" ] || continue
  found=$(account "$file")
  name=${found%% *}
  roles="$roles$(role "$name" "${found#* }")
"
  set_of_roles="$set_of_roles ${part#*:} $name"
done

# Names are one word each.
# shellcheck disable=SC2086
tables=$("$PERPMETER" ledger schema $set_of_roles)

printf '%s\n' 'SET client_min_messages = warning;' "$roles" "$tables" | "$@" --quiet -v ON_ERROR_STOP=1
