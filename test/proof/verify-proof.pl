#!/usr/bin/perl
# Verifies proofs of balances and their history by docs/proof.md alone, without signatures. Shares no code with the platform.
# Usage: perl verify-proof.pl [--history history.json] proof.json … Ends with 0 only if all files hold.
use strict; use warnings; use Digest::SHA qw(sha256_hex); use Encode qw(encode_utf8); use JSON::PP;
my ($MAX, $N, $HASH) = (9223372036854775807, '(0|[1-9]\d{0,18})', '([0-9a-f]{64})'); # Perl adds two such numbers exactly.
my @LINES = ('Proof of balances, format 1, amounts in units of 0\.00000001', 'platform \S.*', "number $N", 'day ([\d-]{10})', 'at \S+',
  "previous $HASH", "members $N", (map { "$_ leaves $N root $HASH usd $N coin $N" } qw(owed promised)),
  "unassigned usd $N coin $N", 'reserves ');
sub refuse { my ($reason, $is_wrong) = @_; die "refused $reason\n" if $is_wrong }
sub digest { sha256_hex(encode_utf8($_[0])) }
sub read_json { open my $in, '<', $_[0] or die "$!\n"; my $json = decode_json(join '', <$in>);
  return ref $json eq 'HASH' && $json->{data} || $json }
sub statement { # Returns number, day, previous digest, members, then leaves, root, USD and coin of both trees.
  my ($form, @fields) = (join "\n", @LINES); refuse(format => !(@fields = $_[0] =~ /\A$form/)); return @fields }
sub amount { my $text = shift;
  refuse(negative => scalar $text =~ /^-[1-9]\d*\z/); refuse(amount => $text !~ /^(0|[1-9]\d*)\z/);
  refuse(overflow => length $text > 19 || $text > $MAX); return $text }
sub parent { my ($left, $right) = @_; # A node is hash, USD, coin.
  my @sums = map { $left->[$_] + $right->[$_] } 1, 2; refuse(overflow => $sums[0] > $MAX || $sums[1] > $MAX);
  return [sha256_hex(pack 'C H64 H64 Q>4', 1, $left->[0], $right->[0], @$left[1, 2], @$right[1, 2]), @sums] }
sub climb { my ($leaf, $label, $leaves, $root, @totals) = @_;
  my @sums = map { amount($leaf->{$_}) } qw(usd coin);
  my ($node, $place, @path) = ([digest(join "\n", "\0$label", @sums, $leaf->{salt}), @sums], $leaf->{position}, @{ $leaf->{path} });
  for (my $count = $leaves; $count > 1; $place >>= 1, $count = ($count + 1) >> 1) {
    next if $place % 2 == 0 && $place + 1 == $count; # The last node of an odd level moves up.
    my $step = shift @path; refuse(path => !$step);
    my $other = [$step->{hash}, map { amount($step->{$_}) } qw(usd coin)];
    $node = $place % 2 ? parent($other, $node) : parent($node, $other) }
  refuse(path => scalar @path); refuse(root => $node->[0] ne $root); refuse(sums => "@$node[1, 2]" ne "@totals") }
sub verify_history { my ($number, $previous, %digests) = (0, '0' x 64);
  for my $row (@{ $_[0] }) {
    refuse(digest => digest($row->{text}) ne $row->{digest}); my @day = statement($row->{text});
    refuse(chain => $day[0] != ++$number || $day[2] ne $previous); $digests{$previous = $row->{digest}} = 1 }
  return \%digests }
sub verify_proof { my ($proof, $digests) = @_; refuse(format => $proof->{format} ne 'balance-proof-1');
  my ($day, @trees) = (statement($proof->{statement}))[1, 4 .. 11];
  for my $tree (qw(owed promised)) { my @root = splice @trees, 0, 4; my @leaves = @{ $proof->{$tree} };
    my %places = map { $_->{position} => 1 } grep { $_->{position} =~ /^\d+\z/ && $_->{position} < $root[0] } @leaves;
    refuse(leaves => @leaves != 4 || keys %places != 4);
    climb($leaves[$_], join("\n", $tree, $day, $proof->{member}, $_), @root) for 0 .. 3 }
  refuse(statement => $digests && !$digests->{digest($proof->{statement})}) }
my ($history, $digests, $is_refused) = @ARGV && $ARGV[0] eq '--history' ? (splice @ARGV, 0, 2)[1] : ();
$digests = eval { verify_history(read_json($history)) } or print("$history: $@"), exit 1 if defined $history;
for my $file (@ARGV) {
  print "$file: ", eval { verify_proof(read_json($file), $digests); 1 } ? "ok\n" : do { $is_refused = 1; $@ };
}
exit($is_refused ? 1 : 0);
