#!/usr/bin/perl
# Verifies proofs of balances by docs/proof.md alone; shares no code with the platform. Usage: perl verify-proof.pl proof.json …
use strict; use warnings;
use Digest::SHA qw(sha256_hex); use JSON::PP; use Encode qw(encode_utf8);
my $MAX = 9223372036854775807; # Perl's integers have 64 bits, and hold the sum of two of these.
sub refuse { die "refused $_[0]\n" }
sub amount {
  my $text = shift;
  refuse('negative') if $text =~ /^-[1-9][0-9]*\z/;
  refuse('amount') unless $text =~ /^(0|[1-9][0-9]*)\z/;
  refuse('overflow') if length $text > 19 || length $text == 19 && $text gt $MAX;
  return $text + 0;
}
sub node { my $n = shift; return { hash => $n->{hash}, map { $_ => amount($n->{$_}) } qw(usd coin) } }
sub parent {
  my ($l, $r) = @_;
  my %sum = map { $_ => $l->{$_} + $r->{$_} } qw(usd coin);
  refuse('overflow') if $sum{usd} > $MAX || $sum{coin} > $MAX;
  return { hash => sha256_hex(pack('C H64 H64 Q>4', 1, $l->{hash}, $r->{hash}, $l->{usd}, $l->{coin}, $r->{usd}, $r->{coin})), %sum };
}
sub climb {
  my ($leaf, $tree, $part, $proof, $day, $root) = @_;
  my $node = node({ hash => '', %$leaf });
  $node->{hash} = sha256_hex("\0" . encode_utf8(join "\n", $tree, $day, $proof->{member}, $part, @$leaf{qw(usd coin salt)}));
  my ($place, $count, @path) = ($leaf->{position}, $root->{leaves}, @{ $leaf->{path} });
  for (; $count > 1; $place = $place >> 1, $count = ($count + 1) >> 1) {
    next if $place % 2 == 0 && $place + 1 == $count;
    my $other = node(shift @path // refuse('path'));
    $node = $place % 2 ? parent($other, $node) : parent($node, $other);
  }
  refuse('path') if @path;
  refuse('root') if $node->{hash} ne $root->{root};
  refuse('sums') if grep { $node->{$_} != amount($root->{$_}) } qw(usd coin);
}
for my $file (@ARGV) {
  eval {
    open my $in, '<', $file or die "$file: $!\n";
    my $proof = decode_json(join '', <$in>);
    refuse('format') if $proof->{format} ne 'balance-proof-1';
    my ($day) = $proof->{statement} =~ /^day (\S+)$/m or refuse('format');
    for my $tree (qw(owed promised)) {
      my %root; @root{qw(leaves root usd coin)} = $proof->{statement} =~ /^$tree leaves (\d+) root ([0-9a-f]{64}) usd (\d+) coin (\d+)$/m or refuse('format');
      my @leaves = @{ $proof->{$tree} };
      my %places = map { $_->{position} => 1 } grep { $_->{position} =~ /^\d+\z/ && $_->{position} < $root{leaves} } @leaves;
      refuse('leaves') if @leaves != 4 || keys %places != 4;
      climb($leaves[$_], $tree, $_, $proof, $day, \%root) for 0 .. 3;
    }
  };
  print "$file: ", $@ ? $@ : "ok\n";
}
